import { days, hours, type Instant } from '@nodewright/apis';

/** From when until when a certificate counts. */
export type CertificatePeriod = { readonly notBefore: Instant; readonly notAfter: Instant };

/** The certificates of the webhook, as far as their age is concerned. */
export type CertificateAges = {
  /** The newest first. */
  readonly authorities: readonly CertificatePeriod[];
  readonly serving: CertificatePeriod & {
    readonly hosts: readonly string[];
    /** Whether the newest authority issued it. */
    readonly isOfNewest: boolean;
  };
};

export type CertificatePlan =
  /** A new authority and a new serving certificate: nothing there can be used. */
  | 'begin'
  /** A new authority beside those that count. The serving certificate stays. */
  | 'addAuthority'
  /** A new serving certificate of the newest authority. */
  | 'issueServing'
  | 'keep';

/** How long new certificates count. */
export const certificateLives = { authorityMs: days(365), servingMs: days(90) } as const;

/** New certificates count from before now, because the clocks of other machines differ. */
export const certificateHeadStartMs = hours(1);

/** API servers get to know a new authority before a certificate of it is served. */
const announcementMs = days(1);

/**
 * What is to be done about the certificates. Each is replaced when two thirds of its life are over, an authority before
 * the certificates that it issues.
 * @param ages `undefined` when there are none that can be read
 */
export function planCertificates(
  ages: CertificateAges | undefined,
  hosts: readonly string[],
  now: Instant,
): CertificatePlan {
  const newest = ages?.authorities[0];
  if (ages === undefined || newest === undefined || isCertificateOver(newest, now)) return 'begin';
  const { serving } = ages;
  if (isCertificateOver(serving, now) || serving.hosts.join() !== hosts.join()) return 'issueServing';
  if (isDue(newest, now)) return 'addAuthority';
  const isAnnounced = now - newest.notBefore >= announcementMs;
  return isAnnounced && (isDue(serving, now) || !serving.isOfNewest) ? 'issueServing' : 'keep';
}

export const isCertificateOver = ({ notAfter }: CertificatePeriod, now: Instant): boolean => now >= notAfter;

const isDue = ({ notBefore, notAfter }: CertificatePeriod, now: Instant): boolean =>
  3 * (now - notBefore) >= 2 * (notAfter - notBefore);
