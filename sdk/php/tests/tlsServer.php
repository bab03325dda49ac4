<?php

/** Serves one connection over TLS; prints its port, then what it received. Argument: the folder of cert.pem and key.pem. */

declare(strict_types=1);

$ssl = ['local_cert' => "$argv[1]/cert.pem", 'local_pk' => "$argv[1]/key.pem"];
$server = stream_socket_server('tcp://127.0.0.1:0', context: stream_context_create(['ssl' => $ssl]));
echo explode(':', (string) stream_socket_get_name($server, false))[1], "\n";
flush();
$connection = stream_socket_accept($server, 30);
if ($connection !== false && @stream_socket_enable_crypto($connection, true, STREAM_CRYPTO_METHOD_TLS_SERVER)) {
    echo fread($connection, 8192);
    fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"revoked\":1}");
    fclose($connection);
}
