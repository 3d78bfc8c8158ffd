import { jsonProblem } from '../../http/json-problem.ts';
import { StatusError, type StatusCause } from '../../http/status-error.ts';
import { asJson } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import type { JsonObject, JsonValue } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { requestDocument } from '../matching/request-document.ts';
import type { WebhookAnswer, WebhookRequest } from '../webhook-calls.ts';
import { questionIdentity, webhookUrl } from '../webhook-target.ts';
import type { ConfiguredWebhook, Webhook } from './webhook-objects.ts';

const knownVersions = ['v1', 'v1beta1'];
const defaultTimeoutSeconds = 10;

type ReviewedObjects = {
  readonly matched: Resource;
  /** In the version that the webhook's rules are about. */
  readonly object: ApiObject | undefined;
  readonly old: ApiObject | undefined;
};

/**
 * The request to a webhook about a write.
 * @param turn how often the webhook was called for this write before
 */
export function webhookRequest(
  { configuration, webhook }: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  { matched, object, old }: ReviewedObjects,
  turn: number,
): WebhookRequest {
  const version = webhook.admissionReviewVersions?.find((each) => knownVersions.includes(each)) ?? 'v1';
  const about = {
    ...requestDocument(attributes, matched),
    object: object === undefined ? null : asJson(object),
    oldObject: old === undefined ? null : asJson(old),
  };
  const request = { uid: questionIdentity([configuration, webhook.name, turn, about]), ...about };
  const seconds = webhook.timeoutSeconds ?? defaultTimeoutSeconds;
  const { caBundle } = webhook.clientConfig;
  return {
    url: webhookUrl(webhook.clientConfig, seconds),
    ...(caBundle !== undefined && { ca: Buffer.from(caBundle, 'base64').toString('utf8') }),
    body: { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request },
    timeoutMs: seconds * 1000,
  };
}

type ReviewResponse = {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: {
    readonly code?: number;
    readonly message?: string;
    readonly reason?: string;
    readonly details?: { readonly causes?: readonly StatusCause[] };
  };
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
};

/** What a webhook decides. */
export type WebhookVerdict =
  | { readonly kind: 'allowed'; readonly patch: JsonValue | undefined; readonly warnings: readonly string[] }
  | { readonly kind: 'denied'; readonly error: StatusError; readonly warnings: readonly string[] }
  | { readonly kind: 'failed'; readonly error: string };

export function readWebhookAnswer({ name }: Webhook, request: WebhookRequest, answer: WebhookAnswer): WebhookVerdict {
  if (answer.kind === 'failed') return { kind: 'failed', error: `failed to call webhook: ${answer.error}` };
  const review = answer.body as {
    readonly kind?: string;
    readonly apiVersion?: string;
    readonly response?: ReviewResponse;
  };
  const response = typeof review === 'object' && review !== null ? review.response : undefined;
  if (response === undefined) return { kind: 'failed', error: 'webhook response was absent' };
  const uid = (request.body['request'] as JsonObject)['uid'];
  if (response.uid !== uid) {
    const mismatch = `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`;
    return { kind: 'failed', error: `received invalid webhook response: ${mismatch}` };
  }
  const { warnings = [] } = response;
  if (response.allowed !== true) return { kind: 'denied', error: denialOf(name, response), warnings };
  const { patch = '', patchType = '' } = response;
  if (patch === '') return { kind: 'allowed', patch: undefined, warnings };
  if (patchType !== 'JSONPatch') return { kind: 'failed', error: `invalid patch of type ${JSON.stringify(patchType)}` };
  const text = Buffer.from(patch, 'base64').toString('utf8');
  try {
    return { kind: 'allowed', patch: JSON.parse(text) as JsonValue, warnings };
  } catch {
    return { kind: 'failed', error: `received undecodable patch in webhook response: ${jsonProblem(text)}` };
  }
}

const smallestErrorCode = 400;

function denialOf(name: string, { status = {} }: ReviewResponse): StatusError {
  const { code = 0, message = '', reason = '', details } = status;
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const explanation = message === '' ? reason : message;
  const text = explanation === '' ? `${denied} without explanation` : `${denied}: ${explanation}`;
  return new StatusError(Math.max(code, smallestErrorCode), text, {
    ...(reason !== '' && { reason }),
    ...(details && { details }),
  });
}
