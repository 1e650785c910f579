# Boathook on the Node that package-lock.json pins, with checksums for every package; docs/deploying.md explains.
# Replace the tags by digests where your policy asks for them.
ARG BUILD_IMAGE=docker.io/library/node:26.10.0-trixie-slim
ARG BASE_IMAGE=docker.io/library/debian:trixie-slim

FROM ${BUILD_IMAGE} AS built
WORKDIR /opt/boathook
COPY package.json package-lock.json tsconfig.json .npmrc ./
COPY packages packages
COPY scripts scripts
COPY src src
# The types of the client are those of a service, which reads these when it starts.
COPY airlines airlines
COPY carriers carriers
COPY changelog changelog
RUN npm ci --ignore-scripts && npm run build && test -e build/packages/boathook-client-*.tgz \
    && node scripts/build-package.ts

FROM ${BUILD_IMAGE} AS build
WORKDIR /opt/boathook
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/receiver/package.json packages/receiver/
COPY packages/simulator/package.json packages/simulator/
COPY packages/console/package.json packages/console/
# The bill of materials lists what is installed; npm refuses while package.json names what is not.
RUN npm ci --omit=dev --ignore-scripts \
    && npm pkg delete devDependencies --workspaces --include-workspace-root \
    && npm sbom --sbom-format=cyclonedx > sbom.cdx.json
COPY bin bin
COPY airlines airlines
COPY carriers carriers
COPY changelog changelog
COPY packages/client/src packages/client/src
COPY packages/receiver packages/receiver
COPY packages/simulator packages/simulator
COPY --from=built /opt/boathook/build build
COPY --from=built /opt/boathook/dist dist
COPY LICENSE NOTICE ./
RUN NODE_DISABLE_COMPILE_CACHE=1 node bin/boathook.js slim

FROM ${BASE_IMAGE}
# Node needs libatomic, and deliveries the certificate authorities of the system. Versions are those of the base image.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libatomic1 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
RUN groupadd --gid 10001 boathook \
    && useradd --uid 10001 --gid boathook --home-dir /var/lib/boathook --shell /usr/sbin/nologin boathook \
    && install --directory --owner=boathook --group=boathook --mode=0700 /var/lib/boathook
COPY --from=build /opt/boathook /opt/boathook
ENV PATH=/opt/boathook/node_modules/.bin:/opt/boathook/bin:/usr/local/bin:/usr/bin:/bin \
    BOATHOOK_DATA_DIR=/var/lib/boathook \
    BOATHOOK_LISTEN=0.0.0.0:8080 \
    BOATHOOK_OPS_LISTEN=0.0.0.0:8081
USER 10001:10001
WORKDIR /var/lib/boathook
VOLUME /var/lib/boathook
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "const port = process.env.BOATHOOK_OPS_LISTEN.split(':').at(-1); fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-sigusr1", "/opt/boathook/bin/boathook.js"]
CMD ["serve"]
