import type { DamagedRecord } from '@nodewright/runtime';

const reasons: Readonly<Record<DamagedRecord['reason'], string>> = {
  damaged: 'cannot be read',
  missing: 'comes after records that are missing',
  repeated: 'came before',
};

/** `record 17 at byte 40960 (kubernetes/pods default/web) cannot be read`. */
export function describeDamage({ number, offset, keys, reason }: DamagedRecord): string {
  const [key = 'its key cannot be read', ...others] = keys;
  const what = others.length === 0 ? key : `${key} and ${others.length} more`;
  return `record ${number} at byte ${offset} (${what}) ${reasons[reason]}`;
}
