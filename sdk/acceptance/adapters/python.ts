/** The Python that starts merchants; the environment variable PYTHON names another one. */
export const PYTHON = process.env['PYTHON'] || 'python3'

/** The SDK's sources, without writing beside them. */
export const PYTHON_ENVIRONMENT = { PYTHONPATH: 'sdk/python/src', PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' }
