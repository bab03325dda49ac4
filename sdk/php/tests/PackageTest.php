<?php

declare(strict_types=1);

namespace Tollgate\Tests;

use Tollgate\Tollgate;

/** The package: types, documentation, version. e2e/sdks.test.ts tests the archive. */
final class PackageTest extends VectorCase
{
    private const ROOT = __DIR__ . '/..';

    public function testEverythingIsTypedAndDocumented(): void
    {
        $files = [...glob(self::ROOT . '/src/*.php'), ...glob(self::ROOT . '/src/Internal/*.php')];
        self::assertGreaterThan(20, count($files));
        foreach ($files as $file) {
            self::assertStringContainsString("\ndeclare(strict_types=1);\n", (string) file_get_contents($file));
            $name = 'Tollgate' . strtr(substr($file, strlen(self::ROOT . '/src'), -4), '/', '\\');
            $class = new \ReflectionClass($name);
            self::assertNotFalse($class->getDocComment(), $name);
            foreach ($class->getMethods() as $method) {
                if ($method->getDeclaringClass()->getName() !== $name) {
                    continue;
                }
                $where = "$name::{$method->getName()}";
                $hasResult = str_starts_with($method->getName(), '__') || $method->hasReturnType();
                self::assertTrue($hasResult, "$where has no type of its result");
                foreach ($method->getParameters() as $parameter) {
                    self::assertTrue($parameter->hasType(), "$where: {$parameter->getName()} has no type");
                    $isPublic = $method->isPublic() && !str_contains($name, 'Internal');
                    if ($isPublic && (string) $parameter->getType() === 'mixed' && $method->getName() !== 'isResponseToken') {
                        self::assertStringContainsString('$' . $parameter->getName(), (string) $method->getDocComment(), $where);
                    }
                }
            }
            foreach ($class->getProperties() as $property) {
                self::assertTrue($property->hasType() || $property->class !== $name, "$name: {$property->getName()}");
            }
        }
    }

    public function testTheReadmeListsEveryCodeWithItsClass(): void
    {
        $readme = (string) file_get_contents(self::ROOT . '/README.md');
        preg_match_all('/^\| `(\w+Error)` \| (.+?) \|/m', $readme, $rows, PREG_SET_ORDER);
        $listed = [];
        foreach ($rows as [, $class, $codes]) {
            preg_match_all('/`([a-z-]+)`/', $codes, $found);
            $listed += array_fill_keys($found[1], $class);
        }
        self::assertEqualsCanonicalizing(array_column(self::vectors('errors'), 'class', 'code'), $listed);
        self::assertLessThanOrEqual(700, count(preg_split('/\s+/', trim($readme))));
    }

    public function testTheVersionIsTheLatestReleaseInTheChangelogAndThatOfThePackage(): void
    {
        preg_match('/^## (\d.*)$/m', (string) file_get_contents(self::ROOT . '/CHANGELOG.md'), $latest);
        $package = json_decode((string) file_get_contents(self::ROOT . '/composer.json'), true);
        self::assertSame([Tollgate::VERSION, Tollgate::VERSION], [$latest[1] ?? null, $package['version']]);
    }
}
