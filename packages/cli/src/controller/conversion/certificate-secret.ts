import { type KubernetesObject, readOwn, type Secret } from '@nodewright/apis';
import type { WebhookCertificates } from './webhook-certificates.ts';

const secretKeys = {
  authorities: 'ca.crt',
  authorityKey: 'ca.key',
  servingCertificate: 'tls.crt',
  servingKey: 'tls.key',
} as const;

/** The certificates in a Secret; `undefined` where a part of them is missing. */
export function readCertificateSecret({ data }: Secret): WebhookCertificates | undefined {
  const textOf = (key: string): string => Buffer.from(readOwn<string>(data, key) ?? '', 'base64').toString('utf8');
  const authorities = textOf(secretKeys.authorities).match(pemForm) ?? [];
  const authorityKey = textOf(secretKeys.authorityKey);
  const serving = { cert: textOf(secretKeys.servingCertificate), key: textOf(secretKeys.servingKey) };
  const isWhole = authorities.length > 0 && [authorityKey, serving.cert, serving.key].every((text) => text !== '');
  return isWhole ? { authorities, authorityKey, serving } : undefined;
}

const pemForm = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The Secret with these certificates in the place of those it has. */
export function writeCertificateSecret(
  certificates: WebhookCertificates,
  metadata: KubernetesObject['metadata'],
): Secret {
  const texts = {
    [secretKeys.authorities]: printAuthorities(certificates),
    [secretKeys.authorityKey]: certificates.authorityKey,
    [secretKeys.servingCertificate]: certificates.serving.cert,
    [secretKeys.servingKey]: certificates.serving.key,
  };
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]),
  );
  const secret = { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata, data };
  return secret;
}

/** Every authority, as clients read them: one PEM after the other. */
export const printAuthorities = ({ authorities }: Pick<WebhookCertificates, 'authorities'>): string =>
  authorities.map((pem) => `${pem.trim()}\n`).join('');
