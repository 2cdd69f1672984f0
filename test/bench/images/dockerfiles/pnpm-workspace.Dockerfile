ARG BASE
FROM ${BASE} AS build
RUN --mount=type=cache,target=/root/.npm npm install --global pnpm@10.30.0
WORKDIR /workspace
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY apps/agent/package.json apps/agent/
COPY packages/words/package.json packages/words/
COPY packages/tools/package.json packages/tools/
RUN --mount=type=cache,target=/pnpm pnpm install --frozen-lockfile --prod \
  --store-dir=/pnpm --filter=agent...
COPY . .

FROM ${BASE}
WORKDIR /workspace/apps/agent
COPY --from=build /workspace /workspace
USER 1000
CMD ["node", "main.ts"]
