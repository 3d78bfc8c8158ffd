import type { FieldChange } from './field-changes.ts';
import type { SelectedImage } from './look-up-class.ts';

/** What manifests would change, and which nodes would be replaced for it. */
export type ManifestDiff = {
  readonly objects: readonly ObjectDiff[];
  /** Every node of the pools and classes that change. */
  readonly nodes: readonly NodeDiff[];
  /** Manifests of other kinds: they replace no node by themselves. */
  readonly others: readonly string[];
};

export type ObjectDiff = {
  readonly kind: 'NodePool' | 'EC2NodeClass';
  readonly name: string;
  readonly change: 'new' | 'changed' | 'same';
  readonly fields: readonly FieldChange[];
  readonly hash: { readonly before?: string; readonly after: string };
  /** Of an EC2NodeClass, what would be launched. */
  readonly images?: { readonly before: readonly SelectedImage[]; readonly after: readonly SelectedImage[] };
  /** Why nothing could be launched. */
  readonly problem?: string;
};

export type NodeDiff = {
  readonly node: string;
  readonly nodePool: string;
  readonly nodeClass: string;
  /** Why it is to be replaced already. */
  readonly now?: string;
  /** Why it would be replaced after the change. */
  readonly after?: string;
  readonly because?: string;
  /** The policy whose waves it would wait for. */
  readonly policy?: string;
};

/** Nodes that are replaced because of the change. */
export const isRolled = ({ now, after }: NodeDiff): boolean => now === undefined && after !== undefined;
