import type { FargateProfileSelector } from '@aws-sdk/client-eks';
import { instant, type Instant, seconds } from '@nodewright/apis';

/** Which pods of a cluster run on Fargate. What it becomes follows from the time. */
export type KeptFargateProfile = {
  readonly id: string;
  readonly clusterName: string;
  readonly name: string;
  readonly roleArn: string;
  readonly subnetIds: readonly string[];
  readonly selectors: readonly FargateProfileSelector[];
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: Instant;
  /** What EKS does with it, and until when. */
  readonly moving?: { readonly as: 'CREATING' | 'DELETING'; readonly until: Instant };
};

/** How long EKS takes to create or delete a profile. */
const movingMs = seconds(90);

export const moveProfile = (as: 'CREATING' | 'DELETING', now: Instant) => ({ as, until: instant(now + movingMs) });

/** Returns the profile as it is now, or `undefined` when its deletion has ended. */
export function settleProfile(profile: KeptFargateProfile, now: Instant): KeptFargateProfile | undefined {
  const { moving, ...rest } = profile;
  if (moving === undefined || now < moving.until) return profile;
  return moving.as === 'DELETING' ? undefined : rest;
}
