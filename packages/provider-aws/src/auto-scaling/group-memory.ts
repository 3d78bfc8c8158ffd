import { hours, minutes } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { ScalingInstance, ScalingTemplate } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';

export type RememberedInstance = Pick<ScalingInstance, 'imageId' | 'launchedAt' | 'privateDnsName'>;
type RememberedImage = Pick<ScalingTemplate, 'arch' | 'variant' | 'imageCreatedAt'>;

const instancesFreshMs = minutes(10);
const imagesFreshMs = hours(1);

/** Caches facts of instances and images that rarely change, by id: an update reads groups every few seconds. */
export type GroupMemory = {
  readonly machines: ExpiringCache<RememberedInstance>;
  readonly images: ExpiringCache<RememberedImage>;
};

export const groupMemory = (clock: Clock): GroupMemory => ({
  machines: new ExpiringCache(clock, instancesFreshMs),
  images: new ExpiringCache(clock, imagesFreshMs),
});
