ARG BASE
FROM ${BASE} AS build
RUN --mount=type=cache,target=/root/.cache/pip pip install --break-system-packages poetry==2.5.1
ENV POETRY_VIRTUALENVS_IN_PROJECT=true
WORKDIR /app
COPY pyproject.toml poetry.lock ./
RUN --mount=type=cache,target=/root/.cache/pypoetry poetry install \
  --no-interaction --only main --no-root

FROM ${BASE}
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY . .
ENV PATH=/app/.venv/bin:$PATH
USER 1000
CMD ["python", "main.py"]
