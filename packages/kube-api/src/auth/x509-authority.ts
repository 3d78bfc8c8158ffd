import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its private key, both PEM. */
export type KeyPair = { readonly cert: string; readonly key: string };

/** Signs certificates for one cluster. */
export type CertificateAuthority = KeyPair & {
  /** Issues a serving certificate for these host names and addresses. */
  server(hosts: readonly string[]): Promise<KeyPair>;
  /** Issues a client certificate: the common name is the user, organizations are the groups. */
  client(subject: { readonly commonName: string; readonly organizations: readonly string[] }): Promise<KeyPair>;
};

/** The validity period of certificates. It is in real time, because clients check it against their own clock. */
export type CertificateValidity = { readonly notBefore: Date; readonly notAfter: Date };

/** The common names of an authority and of the serving certificates that it issues. */
export type CertificateNames = { readonly authority: string; readonly server: string };

type Authority = {
  readonly certificate: X509Certificate;
  readonly privateKey: webcrypto.CryptoKey;
  readonly validity: CertificateValidity;
};

const certificateAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** An authority with a new key, or a stored one. */
export async function createX509Authority(
  validity: CertificateValidity,
  stored: KeyPair | undefined,
  names: CertificateNames,
): Promise<CertificateAuthority> {
  const authority =
    stored === undefined ? await newAuthority(validity, names.authority) : await storedAuthority(stored, validity);
  return {
    cert: authority.certificate.toString('pem'),
    key: stored?.key ?? (await privatePem(authority.privateKey)),
    server: (hosts) => issueCertificate(authority, `CN=${names.server}`, [serverUsage, alternativeNames(hosts)]),
    client: ({ commonName, organizations }) => {
      const groups = organizations.map((name) => `, O=${escapeNamePart(name)}`).join('');
      return issueCertificate(authority, `CN=${escapeNamePart(commonName)}${groups}`, [clientUsage]);
    },
  };
}

const serverUsage = new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']);
const clientUsage = new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.2']);

const alternativeNames = (hosts: readonly string[]): SubjectAlternativeNameExtension =>
  new SubjectAlternativeNameExtension(
    hosts.map((host) => ({ type: isIP(host) === 0 ? ('dns' as const) : ('ip' as const), value: host })),
  );

const escapeNamePart = (text: string): string => text.replaceAll(/[,+"\\<>;=]/g, (found) => `\\${found}`);

async function newAuthority(validity: CertificateValidity, name: string): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: certificateAlgorithm,
    ...validity,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
    ],
  });
  return { certificate, privateKey: keys.privateKey, validity };
}

async function storedAuthority({ cert, key }: KeyPair, validity: CertificateValidity): Promise<Authority> {
  const [encoded] = PemConverter.decode(key);
  if (encoded === undefined) throw new Error('the stored key of the certificate authority is no PEM text');
  const privateKey = await webcrypto.subtle.importKey('pkcs8', encoded, certificateAlgorithm, true, ['sign']);
  return { certificate: new X509Certificate(cert), privateKey, validity };
}

async function issueCertificate(
  { certificate, privateKey, validity }: Authority,
  subject: string,
  extensions: readonly (ExtendedKeyUsageExtension | SubjectAlternativeNameExtension)[],
): Promise<KeyPair> {
  const keys = await newKeys();
  const issued = await X509CertificateGenerator.create({
    subject,
    issuer: certificate.subject,
    publicKey: keys.publicKey,
    signingKey: privateKey,
    signingAlgorithm: certificateAlgorithm,
    ...validity,
    extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true), ...extensions],
  });
  return { cert: issued.toString('pem'), key: await privatePem(keys.privateKey) };
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(certificateAlgorithm, true, ['sign', 'verify']);

const privatePem = async (key: webcrypto.CryptoKey): Promise<string> =>
  PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
