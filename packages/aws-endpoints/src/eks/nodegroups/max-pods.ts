import { type CatalogueType, maxPodsOf } from '../../catalogue/instance-type.ts';

const ofNone = 110;
const caps = { small: 110, large: 250 };
const largeFromVcpus = 30;

/** One value for a whole group: the smallest of its types decides, up to 110 for small machines and 250 for large ones. */
export function maxPodsAcross(types: readonly CatalogueType[]): number {
  const capped = types.map((type) => Math.min(maxPodsOf(type), type.vcpus < largeFromVcpus ? caps.small : caps.large));
  return capped.length === 0 ? ofNone : Math.min(...capped);
}
