import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { unreadableAnswer, type WebhookAnswer, type WebhookRequest } from '@nodewright/kube-api';
import { mostBodyBytes } from '@nodewright/runtime';

/** Calls a webhook over HTTPS. Its certificate has to be signed by the authority of its configuration. */
export async function callWebhook(webhook: WebhookRequest): Promise<WebhookAnswer> {
  try {
    const answer = await postReview(webhook);
    if (answer.status < 200 || answer.status > 299) return { kind: 'failed', error: statusText(answer) };
    return { kind: 'answered', body: JSON.parse(answer.text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'failed', error: unreadableAnswer };
    const because = connectionText(error, new URL(webhook.url));
    return { kind: 'failed', error: `Post ${JSON.stringify(webhook.url)}: ${because}` };
  }
}

type ReviewAnswer = { readonly status: number; readonly text: string; readonly contentType: string };

function postReview({ url, ca, body, timeoutMs }: WebhookRequest): Promise<ReviewAnswer> {
  const sent = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'content-length': sent.length };
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      url,
      { method: 'POST', headers, signal, agent: false, ...(ca && { ca }) },
      (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > mostBodyBytes) request.destroy(new Error('the answer is too large'));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            contentType: response.headers['content-type'] ?? '',
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(sent);
  });
}

/** Only a plain text is repeated. */
const statusText = ({ status, text, contentType }: ReviewAnswer): string =>
  status === 404
    ? 'the server could not find the requested resource'
    : `an error on the server (${JSON.stringify(contentType.startsWith('text/') ? text.trim().slice(0, 200) : 'unknown')}) has prevented the request from succeeding`;

type SocketError = Error & { readonly code?: string; readonly address?: string; readonly port?: number };

/** A failed connection in the words of a real server. */
function connectionText(error: unknown, { hostname }: URL): string {
  const { code = '', address = hostname, port, message, name } = error as SocketError;
  const at = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ABORT_ERR') return 'context deadline exceeded';
  if (code === 'ECONNREFUSED') return `dial tcp ${at}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${message}`;
  if (/CERT|SELF_SIGNED|SIGNATURE/.test(code)) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  }
  return message;
}
