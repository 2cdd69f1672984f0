import { expect, test } from 'vitest'
import { managerEnvironment } from './uv.ts'

test('shows package managers the credentials of indexes, and no others', () => {
  const shown = {
    PATH: '/bin',
    HOME: '/home/a',
    UV_INDEX_OURS_PASSWORD: 'a',
    PIP_INDEX_URL: 'https://user:a@index.example.com/simple',
    POETRY_HTTP_BASIC_OURS_PASSWORD: 'a',
    VCS_VERSIONING_PRETEND_VERSION_FOR_A: '1.0',
    PDM_BUILD_SCM_VERSION: '1.0',
    POETRY_DYNAMIC_VERSIONING_BYPASS: '1.0',
    HTTPS_PROXY: 'http://proxy:3128',
    SSL_CERT_FILE: '/ca.crt',
  }
  const hidden = {
    OPENAI_API_KEY: 'a',
    AWS_SECRET_ACCESS_KEY: 'a',
    GITHUB_TOKEN: 'a',
    UV_PUBLISH_TOKEN: 'a',
    POETRY_PYPI_TOKEN_PYPI: 'a',
    SSH_AUTH_SOCK: '/agent',
    PYTHONPATH: '/srv/agent',
    VIRTUAL_ENV: '/srv/agent/.venv',
    UV_PYTHON_DOWNLOADS: 'automatic',
  }
  expect(managerEnvironment({ ...shown, ...hidden })).toEqual({
    ...shown,
    UV_PYTHON_DOWNLOADS: 'never',
    UV_NO_PROGRESS: '1',
    NO_COLOR: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  })
})
