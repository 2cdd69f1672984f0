ARG BASE
FROM ${BASE} AS base
WORKDIR /app
COPY package.json package-lock.json ./

FROM base AS dependencies
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev

FROM base AS build
RUN --mount=type=cache,target=/root/.npm npm ci
COPY . .
RUN npm run build

FROM base
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
USER 1000
CMD ["node", "dist/agent.js"]
