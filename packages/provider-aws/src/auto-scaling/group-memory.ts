import { hours, minutes } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { ScalingInstance, ScalingTemplate } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';

export type Machine = Pick<ScalingInstance, 'imageId' | 'launchedAt' | 'privateDnsName'>;
type Image = Pick<ScalingTemplate, 'arch' | 'variant' | 'imageCreatedAt'>;

const instancesFreshMs = minutes(10);
const imagesFreshMs = hours(1);

/** What hardly ever changes about instances and images, by id: groups are looked at every few seconds during an update. */
export type GroupMemory = {
  readonly machines: ExpiringCache<Machine>;
  readonly images: ExpiringCache<Image>;
};

export const groupMemory = (clock: Clock): GroupMemory => ({
  machines: new ExpiringCache(clock, instancesFreshMs),
  images: new ExpiringCache(clock, imagesFreshMs),
});
