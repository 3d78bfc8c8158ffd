import type { KubernetesObject, ObjectNotes } from '@nodewright/apis';
import type { Cause } from '../schema/cause.ts';
import type { ExactNumbers } from '../schema/exact-numbers.ts';
import type { ValueSchema } from '../schema/structural.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { ServedKind } from './served-kind.ts';
import type { WebhookClientConfig } from './webhook-client.ts';

/** A column that a custom resource definition adds to `kubectl get`. */
export type RequestedColumn = {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
};

/** The members that the scale subresource reads, as JSON paths (`.spec.replicas`). */
export type ScalePaths = {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
};

/** Why an object is refused, and what its writer is warned of. */
export type ObjectVerdict = { readonly causes: readonly Cause[]; readonly warnings: readonly string[] };

/** What a definition says of the webhook that converts its objects. */
export type WebhookConverter = {
  readonly clientConfig: WebhookClientConfig;
  readonly conversionReviewVersions?: readonly string[];
};

/** The parts of a conversion by a webhook, for one version of a kind. */
export type ConversionParts = {
  readonly webhook: WebhookConverter;
  readonly functionsFor: (
    convert: (object: ApiObject, apiVersion: string) => ApiObject,
  ) => Pick<Resource, 'fromStored' | 'toStored'>;
  /** The form of a stored object that the webhook is asked about. */
  readonly readForm: (stored: ApiObject) => ApiObject;
  /** What lists and watches were told of stored objects. */
  readonly cache: ObjectNotes<ApiObject, ApiObject>;
};

/** The properties that only custom resources have. */
export type CustomTraits = {
  readonly definition: string;
  readonly listKind: string;
  readonly isTerminating: boolean;
  /** The schema in the definition. Objects are defaulted and validated by it. */
  readonly schema: ValueSchema | undefined;
  readonly printerColumns: readonly RequestedColumn[];
  readonly selectableFields: readonly string[];
  readonly scale?: ScalePaths;
  /** Judges an object that the schema admits. */
  readonly judge?: (object: KubernetesObject) => ObjectVerdict;
  /** The text of the `Warning` header of a deprecated version. */
  readonly deprecation?: string;
  /** The numbers of the definition that doubles do not hold, such as defaults. */
  readonly numbers?: ExactNumbers | undefined;
  /** How a webhook converts its objects. */
  readonly conversion?: ConversionParts;
};

/** One kind at one version with everything that serving it needs. */
export type Resource = ServedKind & {
  /** The collection that stores its objects. The versions of a kind share it, and so do the two groups of events. */
  readonly collection: string;
  /** The minor version of which the rules of a built-in kind are. */
  readonly minor?: number;
  /** The group and version of the stored form, when they differ. */
  readonly stored?: { readonly group: string; readonly version: string };
  /** Undefined when the kind has no schema: then any object is accepted. */
  readonly schema: ValueSchema | undefined;
  readonly custom?: CustomTraits;
  /** Converts the stored form to this version. */
  readonly fromStored: (stored: ApiObject) => ApiObject;
  /** Converts this version to the stored form. */
  readonly toStored: (object: ApiObject) => ApiObject;
  /** For kinds that a webhook converts. */
  readonly prepared?: PreparedReads;
};

/** Reads of many stored objects, which are converted together before the first of them is read. */
export type PreparedReads = {
  /** Throws `PendingWebhooks` while answers are missing. */
  readonly prepare: (stored: readonly ApiObject[]) => void;
  readonly prepareLater: (stored: readonly ApiObject[]) => Promise<void>;
  readonly read: (stored: ApiObject) => ApiObject;
};

/** The function that reads the objects of a list or a watch. */
export const storedReader = ({ prepared, fromStored }: Resource): Resource['fromStored'] =>
  prepared?.read ?? fromStored;

export const hasStatus = (resource: Resource): boolean =>
  (resource.subresources ?? []).some(({ name }) => name === 'status');

export const listKindOf = (resource: Resource): string => resource.custom?.listKind ?? `${resource.kind}List`;
