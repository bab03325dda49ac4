# Builds once, runs as an ordinary user, with the packages of dist/sbom.json only: no compilers, no test runner.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY sdk/node/package.json sdk/node/
COPY examples/shop/package.json examples/shop/
COPY scripts/*.mjs scripts/
# by the project's own install, which the build then finds done
RUN node --input-type=module -e "import { install } from './scripts/bootstrap.mjs'; await install()"
COPY . .
RUN npm run build && node scripts/packages.mjs && mv "$(readlink -f dist)" built

FROM node:22-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
# process 1 has to reap the processes of an embedded PostgreSQL that died, which Node.js does not
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/* \
  && mkdir /data /archive && chown node:node /data /archive
COPY --from=build /app/package.json /app/CHANGELOG.md /app/SECURITY.md ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/sdk/node/package.json sdk/node/
COPY --from=build /app/sdk/node/dist sdk/node/dist
COPY --from=build /app/sdk/node/README.md sdk/node/
COPY --from=build /app/sdk/python/README.md sdk/python/
COPY --from=build /app/sdk/php/README.md sdk/php/
COPY --from=build /app/sdk/node/examples sdk/node/examples
COPY --from=build /app/sdk/python/examples sdk/python/examples
COPY --from=build /app/sdk/php/examples sdk/php/examples
COPY --from=build /app/examples/shop examples/shop
COPY --from=build /app/built dist
COPY --from=build /app/docs docs
COPY --from=build /app/widget/types.ts widget/types.ts
COPY --from=build /app/prisma/migrations prisma/migrations
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s CMD node -e "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
ENTRYPOINT ["tini", "--"]
CMD ["node", "--use-largepages=silent", "--no-allocation-site-pretenuring", "dist/server/main.js"]
