import { createHash, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';

type KeyPairType = 'rsa' | 'ed25519';

/** A public key as EC2 keeps it. */
export type SshKeyFacts = {
  readonly type: KeyPairType;
  /** In the form of `authorized_keys`, without a comment. */
  readonly publicKey: string;
  readonly fingerprint: string;
};

/** A new key pair. EC2 hands the private key out once. */
type CreatedKey = SshKeyFacts & { readonly privateKey: string };

/** Makes a key pair. The fingerprint of an RSA key is the SHA-1 of its private key, as EC2 tells it of keys that it made. */
export function createKey(type: KeyPairType): CreatedKey {
  if (type === 'ed25519') return createEd25519Key();
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const blob = writeFields('ssh-rsa', writeNumber(e), writeNumber(n));
  return {
    type,
    publicKey: `ssh-rsa ${blob.toString('base64')}`,
    fingerprint: writeHexDigest('sha1', privateKey.export({ type: 'pkcs8', format: 'der' })),
    privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString().trimEnd(),
  };
}

function createEd25519Key(): CreatedKey {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const blob = writeFields('ssh-ed25519', point);
  return {
    type: 'ed25519',
    publicKey: `ssh-ed25519 ${blob.toString('base64')}`,
    fingerprint: fingerprintOfBlob(blob),
    privateKey: writeOpenSshKey(blob, { seed, point }),
  };
}

/** The private key file of OpenSSH, without a passphrase. */
function writeOpenSshKey(blob: Buffer, { seed, point }: { readonly seed: Buffer; readonly point: Buffer }): string {
  const check = seed.subarray(0, 4);
  const secret = writeFields('ssh-ed25519', point, Buffer.concat([seed, point]), '');
  const unpadded = Buffer.concat([check, check, secret]);
  const padding = Buffer.from(Array.from({ length: (8 - (unpadded.length % 8)) % 8 }, (_, at) => at + 1));
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    writeFields('none', 'none', ''),
    Buffer.from([0, 0, 0, 1]),
    writeFields(blob, Buffer.concat([unpadded, padding])),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----'].join('\n');
}

/**
 * Reads a public key in one of the forms that EC2 imports: OpenSSH, RFC 4716, or DER in base64. The fingerprint of an RSA
 * key is the MD5 of the key in DER. Undefined for anything else.
 */
export function readSshKey(text: string): SshKeyFacts | undefined {
  const blob = readOpenSshBlob(text) ?? readRfc4716Blob(text);
  const key = blob === undefined ? readDer(text) : readBlob(blob);
  if (key === undefined) return undefined;
  const { n = '', e = '', x = '' } = key.export({ format: 'jwk' });
  if (key.asymmetricKeyType === 'ed25519') {
    const written = writeFields('ssh-ed25519', Buffer.from(x, 'base64url'));
    return {
      type: 'ed25519',
      publicKey: `ssh-ed25519 ${written.toString('base64')}`,
      fingerprint: fingerprintOfBlob(written),
    };
  }
  const written = writeFields('ssh-rsa', writeNumber(e), writeNumber(n));
  return {
    type: 'rsa',
    publicKey: `ssh-rsa ${written.toString('base64')}`,
    fingerprint: writeHexDigest('md5', key.export({ type: 'spki', format: 'der' })),
  };
}

function readOpenSshBlob(text: string): Buffer | undefined {
  const [kind, base64] = text.split(/\s+/);
  return kind === 'ssh-rsa' || kind === 'ssh-ed25519' ? Buffer.from(base64 ?? '', 'base64') : undefined;
}

function readRfc4716Blob(text: string): Buffer | undefined {
  const body = /^---- BEGIN SSH2 PUBLIC KEY ----\r?\n([\s\S]*?)---- END SSH2 PUBLIC KEY ----/.exec(text)?.[1];
  // Headers end with their line, unless the line ends with a backslash.
  const base64 = body?.replaceAll(/^[\w-]{1,64}:(.*\\\r?\n)*.*$/gm, '');
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

function readBlob(blob: Buffer): KeyObject | undefined {
  const [kind, first, second] = readKeyFields(blob);
  switch (kind?.toString()) {
    case 'ssh-rsa':
      return first && second && importKey({ kty: 'RSA', e: toBase64Url(first), n: toBase64Url(second) });
    case 'ssh-ed25519':
      return first && importKey({ kty: 'OKP', crv: 'Ed25519', x: toBase64Url(first) });
    default:
      return undefined;
  }
}

function importKey(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function readDer(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

const toBase64Url = (bytes: Buffer): string => bytes.toString('base64url');

/** Reads fields that have their lengths before them. What is cut off is left out. */
function readKeyFields(bytes: Buffer): readonly Buffer[] {
  if (bytes.length < 4) return [];
  const end = 4 + bytes.readUInt32BE(0);
  return end > bytes.length ? [] : [bytes.subarray(4, end), ...readKeyFields(bytes.subarray(end))];
}

const writeFields = (...fields: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(field));
      return [length, Buffer.from(field)];
    }),
  );

/** A number of SSH is signed: one that begins with a bit has a zero before it. */
function writeNumber(base64Url: string): Buffer {
  const bytes = Buffer.from(base64Url, 'base64url');
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}

const fingerprintOfBlob = (blob: Buffer): string => createHash('sha256').update(blob).digest('base64');

const writeHexDigest = (algorithm: 'md5' | 'sha1', bytes: Buffer): string =>
  (createHash(algorithm).update(bytes).digest('hex').match(/../g) ?? []).join(':');
