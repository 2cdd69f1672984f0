ARG BASE
FROM ${BASE} AS build
RUN --mount=type=cache,target=/root/.cache/pip pip install --break-system-packages uv
ENV UV_LINK_MODE=copy
WORKDIR /app
COPY pyproject.toml uv.lock ./
RUN --mount=type=cache,target=/root/.cache/uv uv sync --locked --no-dev --no-install-project
COPY . .
RUN --mount=type=cache,target=/root/.cache/uv uv sync --locked --no-dev

FROM ${BASE}
WORKDIR /app
COPY --from=build /app /app
ENV PATH=/app/.venv/bin:$PATH
USER 1000
CMD ["python", "main.py"]
