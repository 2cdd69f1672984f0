# The images of the services, for people with a container engine:
#   docker build --target catalog --tag slipway/catalog .
# `./dev images` builds images with the same /app without an engine; deploy/images/README.md
# compares them. BASE_IMAGE needs Node.js 24.12 or newer as `node`, and Debian's package list.
# BUILD_IMAGE also needs npm and a shell, and the same version of Node.js. `./dev images base`
# records the digests of both, which a release must have.
ARG BASE_IMAGE=node:24-slim
ARG BUILD_IMAGE=node:24-slim

FROM ${BASE_IMAGE} AS base

FROM ${BUILD_IMAGE} AS build
# The lockfile has the hashes of the packages. `npm ci` would need those for all platforms.
COPY deploy/images/pnpm/ /pnpm/
RUN npm install --prefix /pnpm --global=false --ignore-scripts=false --no-audit --no-fund
ENV PATH=/pnpm/node_modules/.bin:$PATH
WORKDIR /src
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch --prod
COPY . .
RUN CI=true pnpm install --prod --frozen-lockfile --offline
COPY --from=base /usr/lib/os-release /base/usr/lib/os-release
COPY --from=base /var/lib/dpkg/status /base/var/lib/dpkg/status

FROM base AS runtime
ARG VERSION=0.1.0
ARG REVISION
ENV NODE_ENV=production
LABEL org.opencontainers.image.version=${VERSION} \
      org.opencontainers.image.revision=${REVISION} \
      org.opencontainers.image.licenses=Apache-2.0
WORKDIR /app
USER 1000:1000

FROM build AS catalog-app
RUN node deploy/images/main.ts services/catalog /out /base

FROM runtime AS catalog
COPY --from=catalog-app /out/app /app
ENV NODE_OPTIONS="--max-semi-space-size=16 --v8-pool-size=1 --expose-gc" \
    MALLOC_TRIM_THRESHOLD_=1048576 \
    GRPC_ADDRESS=0.0.0.0:9100 \
    CONNECT_ADDRESS=0.0.0.0:9120 \
    OPS_ADDRESS=0.0.0.0:9110
EXPOSE 9100 9110 9120
LABEL org.opencontainers.image.title=slipway/catalog \
      org.opencontainers.image.description="The catalog of accounts, agents, builds and versions"
ENTRYPOINT ["node", "services/catalog/src/main.js"]

FROM build AS deployer-app
RUN node deploy/images/main.ts services/deployer /out /base

FROM runtime AS deployer
COPY --from=deployer-app /out/app /app
ENV NODE_OPTIONS="--max-semi-space-size=16 --v8-pool-size=1 --expose-gc" \
    MALLOC_TRIM_THRESHOLD_=1048576 \
    GRPC_ADDRESS=0.0.0.0:9100 \
    CONNECT_ADDRESS=0.0.0.0:9120 \
    OPS_ADDRESS=0.0.0.0:9110
EXPOSE 9100 9110 9120
LABEL org.opencontainers.image.title=slipway/deployer \
      org.opencontainers.image.description="Turns builds of agents into workloads on Kubernetes"
ENTRYPOINT ["node", "services/deployer/src/main.js"]

FROM build AS observability-app
RUN node deploy/images/main.ts services/observability /out /base

FROM runtime AS observability
COPY --from=observability-app /out/app /app
ENV NODE_OPTIONS="--max-semi-space-size=16 --v8-pool-size=1 --expose-gc" \
    MALLOC_TRIM_THRESHOLD_=1048576 \
    GRPC_ADDRESS=0.0.0.0:9100 \
    CONNECT_ADDRESS=0.0.0.0:9120 \
    OPS_ADDRESS=0.0.0.0:9110 \
    OTLP_ADDRESSES=0.0.0.0:4318 \
    OTLP_GRPC_ADDRESSES=0.0.0.0:4317
EXPOSE 9100 9110 9120 4317 4318
LABEL org.opencontainers.image.title=slipway/observability \
      org.opencontainers.image.description="Stores and queries the traces of agents"
ENTRYPOINT ["node", "services/observability/src/main.js"]

FROM build AS console-app
RUN pnpm fetch && CI=true pnpm install --frozen-lockfile --offline --filter @slipway/console... \
    && node apps/console/scripts/main.ts

FROM build AS gateway-app
COPY --from=console-app /src/apps/console/dist apps/console/dist
RUN node deploy/images/main.ts services/gateway /out /base

FROM runtime AS gateway
COPY --from=gateway-app /out/app /app
ENV NODE_OPTIONS="--max-semi-space-size=16 --v8-pool-size=1 --expose-gc" \
    MALLOC_TRIM_THRESHOLD_=1048576 \
    HTTP_ADDRESS=0.0.0.0:8080 \
    OPS_ADDRESS=0.0.0.0:9110
EXPOSE 8080 9110
LABEL org.opencontainers.image.title=slipway/gateway \
      org.opencontainers.image.description="The REST API"
ENTRYPOINT ["node", "services/gateway/src/main.js"]

FROM build AS web-adapter-app
RUN node deploy/images/main.ts examples/web-adapter /out /base

FROM runtime AS web-adapter
COPY --from=web-adapter-app /out/app /app
EXPOSE 8080
LABEL org.opencontainers.image.title=slipway/web-adapter \
      org.opencontainers.image.description="Serves the web interface of a deployed agent"
ENTRYPOINT ["node", "examples/web-adapter/src/main.js"]

FROM build AS chart-test-app
RUN node deploy/images/main.ts deploy/chart-test /out /base

FROM runtime AS chart-test
COPY --from=chart-test-app /out/app /app
LABEL org.opencontainers.image.title=slipway/chart-test \
      org.opencontainers.image.description="Tests an installed release of the chart"
ENTRYPOINT ["node", "deploy/chart-test/src/test.js"]

FROM build AS chart-test-agent-app
RUN node deploy/images/main.ts deploy/chart-test /out /base

FROM runtime AS chart-test-agent
COPY --from=chart-test-agent-app /out/app /app
LABEL org.opencontainers.image.title=slipway/chart-test-agent \
      org.opencontainers.image.description="The agent that the test of the chart deploys"
ENTRYPOINT ["node", "deploy/chart-test/src/agent.js"]
