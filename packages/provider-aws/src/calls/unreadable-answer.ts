import { unreadableCode } from './error-codes.ts';

type WithResponse = Error & {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $responseBodyText?: unknown;
};

/** An error of the SDK's parser in words that help: what came, instead of which tag is missing in it. */
export function readableError(error: unknown): unknown {
  if (!isParseError(error)) return error;
  const { $metadata = {}, $responseBodyText: body } = error;
  const text = typeof body === 'string' ? body.replaceAll(/\s+/g, ' ').slice(0, 120) : '';
  const status = $metadata.httpStatusCode === undefined ? '' : `HTTP ${$metadata.httpStatusCode} with `;
  const message = `the endpoint answered ${status}what is no answer of AWS: ${text === '' ? 'nothing' : text}`;
  return Object.assign(new Error(message, { cause: error }), { name: unreadableCode, $metadata });
}

const isParseError = (error: unknown): error is WithResponse =>
  error instanceof Error && '$metadata' in error && error.message.includes('Deserialization error');
