import { unreadableCode } from './error-codes.ts';

type WithResponse = Error & {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $responseBodyText?: unknown;
};

/** An error of the SDK's parser in words that help: what came, instead of which tag is missing in it. */
export function readableError(error: unknown): unknown {
  if (!isParseError(error)) return error;
  const { $metadata = {}, $responseBodyText: body } = error;
  return unreadableAnswer({ status: $metadata.httpStatusCode, text: typeof body === 'string' ? body : '' }, error);
}

const isParseError = (error: unknown): error is WithResponse =>
  error instanceof Error && '$metadata' in error && error.message.includes('Deserialization error');

type RawAnswer = { readonly status: number | undefined; readonly text: string };

function unreadableAnswer({ status, text }: RawAnswer, cause?: unknown): Error {
  const shown = text.replaceAll(/\s+/g, ' ').slice(0, 120);
  const withStatus = status === undefined ? '' : `HTTP ${status} with `;
  const message = `the endpoint answered ${withStatus}what is no answer of AWS: ${shown === '' ? 'nothing' : shown}`;
  const $metadata = status === undefined ? {} : { httpStatusCode: status };
  return Object.assign(new Error(message, { cause }), { name: unreadableCode, $metadata });
}

type SdkResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};
type Next = (args: object) => Promise<{ readonly response: unknown }>;

/**
 * Refuses a web page, such as the one of a proxy that wants a sign-in. The SDK would read it as an answer in which
 * everything is missing: an instance would be gone.
 */
export const refuseWebPages =
  (next: Next): Next =>
  async (args) => {
    const answer = await next(args);
    const response = answer.response as SdkResponse;
    if (!isWebPage(response)) return answer;
    throw unreadableAnswer({ status: response.statusCode, text: await answerTextOf(response.body) });
  };

const isWebPage = ({ headers }: SdkResponse): boolean =>
  Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'content-type' && /html/i.test(value));

async function answerTextOf(body: unknown): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, Symbol.asyncIterator)) return '';
  const parts: Uint8Array[] = [];
  for await (const part of body as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts).toString();
}
