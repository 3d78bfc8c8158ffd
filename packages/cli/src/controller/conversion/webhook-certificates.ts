import { createPrivateKey, X509Certificate } from 'node:crypto';
import { certificateAuthority, type KeyPair } from '@nodewright/kube-api';
import { type Instant, instant, toTimestamp } from '@nodewright/apis';
import {
  type CertificateAges,
  certificateHeadStartMs,
  certificateLives,
  type CertificatePeriod,
  type CertificatePlan,
  isCertificateOver,
} from './certificate-plan.ts';

/** The certificates of the webhook and their keys, all PEM. */
export type WebhookCertificates = {
  /** The newest first. All of them are trusted. */
  readonly authorities: readonly string[];
  /** Of the newest authority. */
  readonly authorityKey: string;
  readonly serving: KeyPair;
};

/** @throws when a certificate or key cannot be read, or a key is that of another certificate */
export function readCertificateAges({ authorities, authorityKey, serving }: WebhookCertificates): CertificateAges {
  const known = authorities.map((pem) => new X509Certificate(pem));
  const leaf = new X509Certificate(serving.cert);
  const [newest] = known;
  if (newest?.checkPrivateKey(createPrivateKey(authorityKey)) === false)
    throw new Error('the key is of another authority');
  if (!leaf.checkPrivateKey(createPrivateKey(serving.key))) throw new Error('the key is of another certificate');
  return {
    authorities: known.map(readPeriod),
    serving: {
      ...readPeriod(leaf),
      hosts: (leaf.subjectAltName ?? '').split(', ').map((name) => name.replace(/^DNS:/, '')),
      isOfNewest: newest !== undefined && leaf.verify(newest.publicKey),
    },
  };
}

const readPeriod = ({ validFrom, validTo }: X509Certificate): CertificatePeriod => ({
  notBefore: instant(Date.parse(validFrom)),
  notAfter: instant(Date.parse(validTo)),
});

/** The certificates after a step of the plan, where there are none all of them. Authorities that are over are left out. */
export async function makeCertificates(
  plan: CertificatePlan,
  before: WebhookCertificates | undefined,
  { hosts, now }: { readonly hosts: readonly string[]; readonly now: Instant },
): Promise<WebhookCertificates> {
  if (before !== undefined && plan === 'issueServing') {
    return { ...before, serving: await issueServing(newestAuthority(before), hosts, now) };
  }
  const created = await createAuthority(now);
  if (before === undefined || plan === 'begin') {
    const serving = await issueServing(created, hosts, now);
    return { authorities: [created.cert], authorityKey: created.key, serving };
  }
  const others = before.authorities.filter((pem) => !isCertificateOver(readPeriod(new X509Certificate(pem)), now));
  return { ...before, authorities: [created.cert, ...others], authorityKey: created.key };
}

const newestAuthority = ({ authorities, authorityKey }: WebhookCertificates): KeyPair => ({
  cert: authorities[0] ?? '',
  key: authorityKey,
});

/** Each authority has a name of its own, so that no client takes one for another. */
async function createAuthority(now: Instant): Promise<KeyPair> {
  const names = { authority: `nodewright conversion ${toTimestamp(now)}`, server: '' };
  const { cert, key } = await certificateAuthority(validFor(certificateLives.authorityMs, now), undefined, names);
  return { cert, key };
}

async function issueServing(authority: KeyPair, hosts: readonly string[], now: Instant): Promise<KeyPair> {
  const names = { authority: '', server: 'nodewright conversion' };
  const issuer = await certificateAuthority(validFor(certificateLives.servingMs, now), authority, names);
  return issuer.server(hosts);
}

const validFor = (lifeMs: number, now: Instant) => ({
  notBefore: new Date(now - certificateHeadStartMs),
  notAfter: new Date(now - certificateHeadStartMs + lifeMs),
});
