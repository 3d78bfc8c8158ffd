import { type AwsAccount, arnOf } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { derivedId } from './derived-ids.ts';

/** Whether something is encrypted, and by which key where a request names one. */
export type VolumeEncryption = {
  readonly encrypted: boolean;
  /** As the request names it: an id, an alias or an ARN. Without one it is the account's usual key. */
  readonly kmsKeyId?: string;
};

type EncryptionRequest = { readonly Encrypted?: boolean | undefined; readonly KmsKeyId?: string | undefined };

/**
 * How a new volume or snapshot is encrypted. What is made of an encrypted snapshot is encrypted, too, by the key of the
 * snapshot unless the request names another one.
 * @throws AwsError for a key where nothing is to be encrypted
 */
export function readVolumeEncryption(
  { Encrypted, KmsKeyId }: EncryptionRequest,
  source: VolumeEncryption | undefined,
): VolumeEncryption {
  const encrypted = Encrypted === true || source?.encrypted === true;
  if (KmsKeyId !== undefined && !encrypted)
    throw new AwsError(
      'InvalidParameterDependency',
      'The parameter KmsKeyId requires the parameter Encrypted to be set.',
    );
  const kmsKeyId = KmsKeyId ?? source?.kmsKeyId;
  return { encrypted, ...(kmsKeyId !== undefined && { kmsKeyId }) };
}

/** Writes the key as EC2 tells it, by its ARN. The sandbox has no KMS: every key that a request names is taken. */
export function writeVolumeKey(account: AwsAccount, { encrypted, kmsKeyId }: VolumeEncryption): { KmsKeyId?: string } {
  if (!encrypted) return {};
  if (kmsKeyId === undefined) return { KmsKeyId: arnOf(account, 'kms', `key/${usualKeyId(account)}`) };
  if (kmsKeyId.startsWith('arn:')) return { KmsKeyId: kmsKeyId };
  return { KmsKeyId: arnOf(account, 'kms', kmsKeyId.startsWith('alias/') ? kmsKeyId : `key/${kmsKeyId}`) };
}

/** The id of the key with the alias `aws/ebs`, which each account has in each region. */
function usualKeyId({ id, region }: AwsAccount): string {
  const digits = [derivedId('key', id, region), derivedId('key', region, id)].map((each) => each.slice(-16)).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
