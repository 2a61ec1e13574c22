// Requests to the service, with the token that the user gave, for this tab only.

const TOKEN_NAME = "bonmun-token";

/** An error response of the service. */
export class ServiceProblem extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Keep the token for this tab. */
export function setToken(token) {
  sessionStorage.setItem(TOKEN_NAME, token);
}

/** Send a request and return the values of the response. */
export async function ask(path, options = {}) {
  const token = sessionStorage.getItem(TOKEN_NAME);
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  let answer;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch {
    throw new ServiceProblem("The service does not respond. Is it still running?", 0);
  }
  const values = await answer.json().catch(() => null);
  if (!answer.ok) throw new ServiceProblem(values?.error?.message ?? `The service responded with status ${answer.status}.`, answer.status);
  return values;
}
