import type { PromotionSettings } from '@nodewright/apis';
import type { RecordLimits } from './record-text.ts';

/** Where a record is: one of the three is set. */
export type RecordPlace = NonNullable<PromotionSettings['publish']>;

/** What is stored at a place: `version` tells whether another client has written since. */
export type PlacedText =
  | { readonly kind: 'found'; readonly text: string; readonly version: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly message: string };

export const printPlace = ({ ssmParameter, configMap, url }: RecordPlace): string =>
  ssmParameter !== undefined
    ? `SSM parameter ${ssmParameter}`
    : configMap !== undefined
      ? `ConfigMap ${configMap.namespace}/${configMap.name}`
      : new URL(url ?? 'http://invalid').origin;

/** A standard parameter has 4 KiB, an advanced one 8 KiB and a price. An object of Kubernetes is not for large data. */
export const limitsOfPlace = ({ ssmParameter }: RecordPlace): RecordLimits =>
  ssmParameter === undefined
    ? { usualBytes: 64 * 1024, mostBytes: 64 * 1024 }
    : { usualBytes: 4 * 1024, mostBytes: 8 * 1024 };
