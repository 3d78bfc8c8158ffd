import { byTextOf } from '@nodewright/apis';
import { type CallWebhook, PendingWebhooks, WebhookAnswers } from '../admission/webhook-calls.ts';
import { StatusError } from '../http/status-error.ts';
import { unreachableService } from '../admission/webhook-target.ts';
import type { PreparedReads, Resource, WebhookConverter } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { ApiObjectStore } from '../storage/store.ts';
import { ConversionProblem, conversionRequest, readConversion, withTexts } from './conversion-webhook.ts';

/**
 * The resource with conversions that ask its webhook.
 *
 * Guarantees: a read or a write of one object asks the webhook anew. Lists and watches ask once for each stored object, as
 * the watch cache of a real server does.
 *
 * Assumptions: what a webhook makes of an object depends on its labels, annotations and members outside the metadata alone.
 *
 * Errors: a conversion whose answer is not there throws `PendingWebhooks`. One that fails throws a `StatusError` 500.
 */
export function askConversions(
  resource: Resource,
  store: Pick<ApiObjectStore, 'collection'>,
  { answers, call }: WebhookLine,
): Resource {
  const { custom } = resource;
  if (custom?.conversion === undefined) return resource;
  const { webhook, functionsFor, readForm, cache } = custom.conversion;
  const asked = new AskedConversion(webhook, store, answers);
  const functions = functionsFor((object, apiVersion) => asked.convert(object, apiVersion));
  const desired = groupVersion(resource);
  const prepare = (objects: readonly ApiObject[]): void => {
    const missing = objects.filter((object) => object.apiVersion !== desired && cache.of(object) === undefined);
    asked.convertAll(missing.map(readForm), desired);
    for (const object of missing) cache.write(object, functions.fromStored(object));
  };
  const prepared: PreparedReads = {
    prepare,
    read: (object) => cache.of(object) ?? functions.fromStored(object),
    prepareLater: async (objects) => {
      const later = { answers: new WebhookAnswers(), call };
      await waitForAnswers(() => askConversions(resource, store, later).prepared?.prepare(objects), later);
    },
  };
  return { ...resource, ...functions, prepared };
}

/** How a webhook is asked, and what it answered before. */
export type WebhookLine = { readonly answers: WebhookAnswers; readonly call: CallWebhook };

/** Tries until all answers are there. */
async function waitForAnswers(work: () => void, { answers, call }: WebhookLine): Promise<void> {
  for (;;) {
    const requests = pendingOf(work);
    if (requests === undefined) return;
    await Promise.all(requests.map(async (request) => answers.keep(request, await call(request))));
  }
}

function pendingOf(work: () => void): PendingWebhooks['requests'] | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof PendingWebhooks) return error.requests;
    throw error;
  }
}

/** The conversions of one request of a client. */
class AskedConversion {
  readonly #webhook: WebhookConverter;
  readonly #store: Pick<ApiObjectStore, 'collection'>;
  readonly #answers: WebhookAnswers;
  readonly #converted = new Map<string, ApiObject>();

  constructor(webhook: WebhookConverter, store: Pick<ApiObjectStore, 'collection'>, answers: WebhookAnswers) {
    this.#webhook = webhook;
    this.#store = store;
    this.#answers = answers;
  }

  /** Metadata other than labels and annotations are those of the object: a write changes them after the answer. */
  convert(object: ApiObject, apiVersion: string): ApiObject {
    this.convertAll([object], apiVersion);
    const converted = this.#converted.get(contentKey(object, apiVersion)) ?? object;
    return withTexts({ ...converted, metadata: object.metadata }, converted.metadata);
  }

  /** Asks once about all objects that were not converted before. */
  convertAll(objects: readonly ApiObject[], apiVersion: string): void {
    const missing = objects.filter((object) => !this.#converted.has(contentKey(object, apiVersion)));
    if (missing.length === 0) return;
    const request = conversionRequest(this.#webhook, missing, apiVersion);
    const unreachable = unreachableService(this.#webhook.clientConfig, request.url, this.#store);
    const answer =
      unreachable === undefined ? this.#answers.find(request) : ({ kind: 'failed', error: unreachable } as const);
    if (answer === undefined) throw new PendingWebhooks([request]);
    try {
      for (const [index, converted] of readConversion(request, answer, missing).entries()) {
        const object = missing[index];
        if (object !== undefined) this.#converted.set(contentKey(object, apiVersion), converted);
      }
    } catch (error) {
      throw error instanceof ConversionProblem ? new StatusError(500, error.message) : error;
    }
  }
}

/** The same object has the same key before and after a write. */
function contentKey(object: ApiObject, apiVersion: string): string {
  const { metadata, ...members } = object;
  const { name, namespace, uid, labels, annotations } = metadata;
  const sorted = Object.entries(members).toSorted(byTextOf(([member]) => member));
  return JSON.stringify([apiVersion, name, namespace, uid, labels, annotations, sorted]);
}
