import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { convertWithoutLoss } from './convert-without-loss.ts';

/** What an API server asks of a conversion webhook, and the answer. */
export type ConversionReview = {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'ConversionReview';
  readonly response: {
    readonly uid: string;
    readonly result: { readonly status: 'Success' } | { readonly status: 'Failed'; readonly message: string };
    readonly convertedObjects: readonly KubernetesObject[];
  };
};

type ConversionRequest = {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubernetesObject[];
};

/**
 * The answer to a review: every object converted, in the order of the question, or none and why.
 * @returns `undefined` for what is no ConversionReview of `apiextensions.k8s.io/v1`
 */
export function answerConversionReview(review: unknown): ConversionReview | undefined {
  const request = readRequest(review);
  if (request === undefined) return undefined;
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: convertRequest(request) };
}

function convertRequest({ uid, desiredAPIVersion, objects }: ConversionRequest): ConversionReview['response'] {
  try {
    const convertedObjects = objects.map((object) => convertWithoutLoss(object, desiredAPIVersion));
    return { uid, result: { status: 'Success' }, convertedObjects };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { uid, result: { status: 'Failed', message }, convertedObjects: [] };
  }
}

type ReviewMembers = Readonly<Record<string, unknown>>;

/** What is no object has no members that are looked for. */
const memberMapOf = (value: unknown): ReviewMembers => ({ ...(value as object | null | undefined) });

function readRequest(review: unknown): ConversionRequest | undefined {
  const { apiVersion, kind, request } = memberMapOf(review);
  const { uid, desiredAPIVersion, objects } = memberMapOf(request);
  if (apiVersion !== 'apiextensions.k8s.io/v1' || kind !== 'ConversionReview') return undefined;
  if (typeof uid !== 'string' || typeof desiredAPIVersion !== 'string' || !Array.isArray(objects)) return undefined;
  return objects.every(hasMetadata) ? { uid, desiredAPIVersion, objects } : undefined;
}

const hasMetadata = (value: unknown): value is KubernetesObject => typeof memberMapOf(value)['metadata'] === 'object';
