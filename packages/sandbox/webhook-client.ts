import http from 'node:http';
import https from 'node:https';

const ANSWER_LIMIT_MS = 10_000;

/** Posts JSON to the web process over kept-alive connections. */
export class WebhookClient {
  readonly #siteUrl: () => string;
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: 32 }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: 32 }),
  };

  constructor(siteUrl: () => string) {
    this.#siteUrl = siteUrl;
  }

  /** Returns the status of the answer; rejects if none comes within 10 s. */
  async post(path: string, body: string, headers: Record<string, string>): Promise<number> {
    try {
      return await this.#postOnce(path, body, headers);
    } catch (error) {
      // The site has closed an idle connection just as it was reused: not a failed delivery.
      if (!(error instanceof StaleConnection)) throw error;
      return this.#postOnce(path, body, headers);
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #postOnce(path: string, body: string, headers: Record<string, string>): Promise<number> {
    const url = new URL(path, this.#siteUrl());
    const secure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        agent: secure ? this.#agents['https:'] : this.#agents['http:'],
        timeout: ANSWER_LIMIT_MS,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      });
      request.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      });
      request.on('timeout', () => request.destroy(new Error('no answer within 10 s')));
      request.on('error', (error: NodeJS.ErrnoException) => {
        reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error);
      });
      request.end(body);
    });
  }
}

class StaleConnection extends Error {}
