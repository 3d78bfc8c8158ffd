import type { WebhookAnswer, WebhookRequest } from '../admission/webhook-calls.ts';
import { questionIdentity, webhookUrl } from '../admission/webhook-target.ts';
import type { WebhookConverter } from '../resources/resource.ts';
import { asApiObject, asJson } from '../resources/rules.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../schema/json.ts';
import { annotationCauses, labelCauses } from '../schema/metadata/check-metadata.ts';
import type { ApiObject } from '../storage/api-object.ts';

const reviewVersionsWritten = ['v1', 'v1beta1'];
const timeoutSeconds = 30;

/** The request that asks a webhook to convert objects. */
export function conversionRequest(
  { clientConfig, conversionReviewVersions = [] }: WebhookConverter,
  objects: readonly ApiObject[],
  desiredAPIVersion: string,
): WebhookRequest {
  const version = conversionReviewVersions.find((each) => reviewVersionsWritten.includes(each)) ?? 'v1';
  const about = { desiredAPIVersion, objects: objects.map(asJson) };
  const { caBundle } = clientConfig;
  return {
    url: webhookUrl(clientConfig, timeoutSeconds),
    ...(caBundle !== undefined && { ca: Buffer.from(caBundle, 'base64').toString('utf8') }),
    body: {
      kind: 'ConversionReview',
      apiVersion: `apiextensions.k8s.io/${version}`,
      request: { uid: questionIdentity([about]), ...about },
    },
    timeoutMs: timeoutSeconds * 1000,
  };
}

/** Why a webhook's answer converts nothing, in the words of a real server. */
export class ConversionProblem extends Error {
  override readonly name = 'ConversionProblem';
}

/**
 * The objects that a webhook converted, each with the metadata that it had before: a webhook changes labels and annotations
 * only.
 * @throws ConversionProblem
 */
export function readConversion(
  request: WebhookRequest,
  answer: WebhookAnswer,
  objects: readonly ApiObject[],
): readonly ApiObject[] {
  const [first] = objects;
  const subject = `conversion webhook for ${first === undefined ? '' : kindText(first.apiVersion, first.kind)}`;
  const found = convertedObjects(request, answer, (because) => new ConversionProblem(`${subject} failed: ${because}`));
  if (found.length !== objects.length) {
    throw new ConversionProblem(`${subject} returned ${found.length} objects, expected ${objects.length}`);
  }
  const desired = jsonTextAt(request.body, 'request', 'desiredAPIVersion');
  return objects.map((object, index) => {
    const fail = (what: string, because: string): ConversionProblem =>
      new ConversionProblem(`${subject} returned invalid ${what}: ${because}`);
    return checkedObject(object, found[index] ?? null, { desired, index, fail });
  });
}

const kindText = (apiVersion: string, kind: string): string => `${apiVersion}, Kind=${kind}`;

/** The list in a review, before its objects are looked at. */
function convertedObjects(
  { body }: WebhookRequest,
  answer: WebhookAnswer,
  failure: (because: string) => ConversionProblem,
): readonly JsonValue[] {
  if (answer.kind === 'failed') throw failure(answer.error);
  const review = answer.body as JsonValue;
  const [kind, apiVersion] = [jsonTextAt(review, 'kind'), jsonTextAt(review, 'apiVersion')];
  const wanted = jsonTextAt(body, 'apiVersion');
  if (wanted.endsWith('/v1') && (kind !== 'ConversionReview' || apiVersion !== wanted)) {
    const got = apiVersion === '' ? '/' : apiVersion;
    throw failure(`expected webhook response of ${kindText(wanted, 'ConversionReview')}, got ${kindText(got, kind)}`);
  }
  const response = memberOf(review, 'response');
  if (!isObject(response)) throw failure('no response provided');
  const [asked, answered] = [jsonTextAt(body, 'request', 'uid'), jsonTextAt(response, 'uid')];
  if (wanted.endsWith('/v1') && asked !== answered) {
    throw failure(`expected response.uid=${JSON.stringify(asked)}, got ${JSON.stringify(answered)}`);
  }
  const { status, message } = { status: '', message: '', ...(memberOf(response, 'result') as object) };
  if (status !== 'Success') {
    throw failure(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  }
  const list = memberOf(response, 'convertedObjects');
  return Array.isArray(list) ? list : [];
}

type CheckOptions = {
  readonly desired: string;
  readonly index: number;
  readonly fail: (what: string, because: string) => ConversionProblem;
};

function checkedObject(before: ApiObject, value: JsonValue, { desired, index, fail }: CheckOptions): ApiObject {
  const place = `object at index ${index}`;
  const [apiVersion, kind] = [jsonTextAt(value, 'apiVersion'), jsonTextAt(value, 'kind')];
  if (!isObject(value) || apiVersion !== desired) {
    throw fail(place, `invalid groupVersion (expected ${desired}, received ${apiVersion})`);
  }
  if (kind !== before.kind) throw fail(place, `invalid kind (expected ${before.kind}, received ${kind})`);
  for (const [member, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [was, is] = [before.metadata[member] ?? '', jsonTextAt(value, 'metadata', member)];
    if (was !== is) throw fail('object', `must have the same ${name}: ${was} != ${is}`);
  }
  return restoreMetadata(before, value, (because) => fail('metadata', because));
}

function restoreMetadata(
  before: ApiObject,
  converted: JsonObject,
  fail: (because: string) => ConversionProblem,
): ApiObject {
  const metadata = memberOf(converted, 'metadata');
  const labels = memberOf(metadata, 'labels') ?? undefined;
  const annotations = memberOf(metadata, 'annotations') ?? undefined;
  const [cause] = [...labelCauses(labels, 'metadata.labels'), ...annotationCauses(annotations, 'metadata.annotation')];
  if (cause !== undefined) throw fail(`${cause.field}: ${cause.message}`);
  return withTexts({ ...asApiObject(converted), metadata: before.metadata }, { labels, annotations });
}

/** The object with these labels and annotations in the place of its own. */
export function withTexts(
  object: ApiObject,
  texts: { readonly labels?: unknown; readonly annotations?: unknown },
): ApiObject {
  const { labels: _labels, annotations: _annotations, ...kept } = object.metadata;
  const { labels, annotations } = texts as Pick<ApiObject['metadata'], 'labels' | 'annotations'>;
  return { ...object, metadata: { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) } };
}
