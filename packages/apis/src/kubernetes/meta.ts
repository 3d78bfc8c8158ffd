/** A moment on whichever clock is in charge: milliseconds since the Unix epoch, UTC. */
export type Instant = number & { readonly unit: 'ms since epoch' };

export const instant = (ms: number): Instant => ms as Instant;

let latestSecond: { readonly second: number; readonly text: string } = { second: NaN, text: '' };

/** RFC 3339 UTC with whole seconds, as Kubernetes writes `metav1.Time`. Most of those who ask ask for now. */
export function toTimestamp(at: Instant): string {
  const second = Math.floor(at / 1000);
  if (second !== latestSecond.second)
    latestSecond = { second, text: `${new Date(at).toISOString().slice(0, -'.000Z'.length)}Z` };
  return latestSecond.text;
}

/** RFC 3339 UTC with microseconds, as Kubernetes writes `metav1.MicroTime`. */
export const toMicroTimestamp = (at: Instant): string => new Date(at).toISOString().replace(/Z$/, '000Z');

export const fromTimestamp = (text: string): Instant => instant(Date.parse(text));

export type OwnerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
};

export type ObjectMeta = {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[];
};

export type KubernetesObject = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
};

export type ObjectList<T> = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
};

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export type Condition = {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
};

export type LabelSelectorRequirement = {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
};

export type LabelSelector = {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
};
