import type {
  CreateKeyPairRequest,
  KeyPair as CreatedKeyPair,
  DeleteKeyPairRequest,
  DeleteKeyPairResult,
  DescribeKeyPairsRequest,
  DescribeKeyPairsResult,
  ImportKeyPairRequest,
  ImportKeyPairResult,
  KeyPairInfo,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
import { applyFilters } from './filters.ts';
import { createKey, readSshKey } from './key-material.ts';
import type { Ec2KeyPair } from './key-pairs.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications, writeEc2Tags } from './tags.ts';

const longestKeyName = 255;

function checkKeyName(name: string): void {
  if (name.length >= 1 && name.length <= longestKeyName && /^[\x20-\x7e]+$/.test(name) && name.trim() === name) return;
  throw invalidValue(
    `Value (${name}) for parameter keyName is invalid. It must have from 1 to ${longestKeyName} ASCII characters, no blank first or last.`,
  );
}

export function createKeyPair(ec2: Ec2, request: CreateKeyPairRequest): CreatedKeyPair {
  const { KeyName: name = '', KeyType: type = 'rsa', DryRun } = request;
  checkKeyName(name);
  if (request.KeyFormat === 'ppk')
    throw new AwsError('Unsupported', 'The sandbox hands out private keys in the format pem alone.');
  checkTagSpecifications(request.TagSpecifications, ['key-pair']);
  ec2.keyPairs.requireFree(name);
  if (DryRun === true) throw dryRunWouldSucceed();
  const { privateKey, ...key } = createKey(type);
  const pair = ec2.keyPairs.add(
    name,
    { ...key, publicKey: `${key.publicKey} ${name}` },
    readTagSpecifications('key-pair', request.TagSpecifications),
  );
  return {
    KeyName: name,
    KeyPairId: pair.id,
    KeyFingerprint: pair.fingerprint,
    KeyMaterial: privateKey,
    Tags: writeEc2Tags(ec2.tags.of(pair.id)),
  };
}

export function importKeyPair(ec2: Ec2, request: ImportKeyPairRequest): ImportKeyPairResult {
  const { KeyName: name = '', PublicKeyMaterial: material, DryRun } = request;
  checkKeyName(name);
  checkTagSpecifications(request.TagSpecifications, ['key-pair']);
  ec2.keyPairs.requireFree(name);
  const publicKey = Buffer.from(material ?? new Uint8Array())
    .toString('utf8')
    .trim();
  const key = readSshKey(publicKey);
  if (key === undefined) throw new AwsError('InvalidKey.Format', 'Key is not in valid OpenSSH public key format');
  if (DryRun === true) throw dryRunWouldSucceed();
  const pair = ec2.keyPairs.add(
    name,
    { ...key, publicKey },
    readTagSpecifications('key-pair', request.TagSpecifications),
  );
  return {
    KeyName: name,
    KeyPairId: pair.id,
    KeyFingerprint: pair.fingerprint,
    Tags: writeEc2Tags(ec2.tags.of(pair.id)),
  };
}

export function deleteKeyPair(
  ec2: Ec2,
  { KeyName: name, KeyPairId: id, DryRun }: DeleteKeyPairRequest,
): DeleteKeyPairResult {
  if (name === undefined && id === undefined) throw missingParameter('KeyName');
  const found = ec2.keyPairs.all().find((pair) => (id === undefined ? pair.name === name : pair.id === id));
  if (DryRun === true) throw dryRunWouldSucceed();
  if (found !== undefined) ec2.keyPairs.delete(found);
  return { Return: true, ...(found !== undefined && { KeyPairId: found.id }) };
}

const keyPairPaths = parseRecordPaths(`
  fingerprint KeyFingerprint
  key-name KeyName
  key-pair-id KeyPairId
`);

export function describeKeyPairs(ec2: Ec2, request: DescribeKeyPairsRequest): DescribeKeyPairsResult {
  const { KeyNames: names = [], KeyPairIds: ids = [] } = request;
  for (const name of names) ec2.keyPairs.named(name);
  const missing = ids.find((id) => !ec2.keyPairs.all().some((pair) => pair.id === id));
  if (missing !== undefined) throw new AwsError('InvalidKeyPair.NotFound', `The key pair '${missing}' does not exist`);
  const asked = ec2.keyPairs
    .all()
    .filter(({ name, id }) => (names.length === 0 || names.includes(name)) && (ids.length === 0 || ids.includes(id)));
  const found = applyFilters(asked, request.Filters, {
    records: { write: (pair) => writeKeyPair(ec2, pair), paths: keyPairPaths },
    attributes: {},
    tags: ({ id }) => ec2.tags.of(id),
  });
  const withKeys = request.IncludePublicKey === true;
  return {
    KeyPairs: found.map((pair) => ({
      ...writeKeyPair(ec2, pair),
      ...(withKeys && { PublicKey: pair.publicKey }),
    })),
  };
}

const writeKeyPair = ({ tags }: Ec2, pair: Ec2KeyPair): KeyPairInfo => ({
  KeyName: pair.name,
  KeyPairId: pair.id,
  KeyType: pair.type,
  KeyFingerprint: pair.fingerprint,
  CreateTime: new Date(pair.createdAt),
  Tags: writeEc2Tags(tags.of(pair.id)),
});
