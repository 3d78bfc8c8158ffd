import type { ValueSchema } from '../schema/structural.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { ServedKind } from './served-kind.ts';

/** A column of `kubectl get`, as a custom resource definition asks for it. */
export type RequestedColumn = {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
};

/** Where the scale subresource finds its numbers, as JSON paths of plain members (`.spec.replicas`). */
export type ScalePaths = {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
};

/** What is different about a resource that a custom resource definition brought. */
export type CustomTraits = {
  readonly definition: string;
  readonly listKind: string;
  readonly isTerminating: boolean;
  /** As the definition has it: what objects are defaulted and judged by. */
  readonly schema: ValueSchema | undefined;
  readonly printerColumns: readonly RequestedColumn[];
  readonly selectableFields: readonly string[];
  readonly scale?: ScalePaths;
  /** The text of the `Warning` header of a deprecated version. */
  readonly deprecation?: string;
};

/** One kind at one version, with all that serving it takes. */
export type Resource = ServedKind & {
  /** Where its objects are stored: versions of one kind share it, and so do the two groups of events. */
  readonly collection: string;
  /** The group and version of the stored form, where it is another one. */
  readonly stored?: { readonly group: string; readonly version: string };
  /** Absent while nothing is known about the kind's shape: then anything is accepted. */
  readonly schema: ValueSchema | undefined;
  readonly custom?: CustomTraits;
  /** From the stored form to this version. */
  readonly fromStored: (stored: ApiObject) => ApiObject;
  /** From this version to the stored form. */
  readonly toStored: (object: ApiObject) => ApiObject;
};

export const hasStatus = (resource: Resource): boolean =>
  (resource.subresources ?? []).some(({ name }) => name === 'status');

export const listKindOf = (resource: Resource): string => resource.custom?.listKind ?? `${resource.kind}List`;
