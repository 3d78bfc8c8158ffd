import { readOwn, type RolloutReceiver, secrets } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { isForbiddenAnswer } from '../../objects/collection.ts';

/** Where and with which token a receiver is called, or why that is not known. */
export type ReceiverAddress =
  | { readonly kind: 'known'; readonly url: string; readonly token?: string }
  | { readonly kind: 'unknown'; readonly because: string };

/** Secrets are read when they are needed, each by its name: none is watched or kept. */
export async function readReceiverAddress(
  client: KubernetesClient,
  { url, secretRef }: RolloutReceiver,
): Promise<ReceiverAddress> {
  if (secretRef === undefined) return { kind: 'known', url: url ?? '' };
  const { namespace, name, key } = secretRef;
  const unknown = (because: string): ReceiverAddress => ({ kind: 'unknown', because });
  try {
    const secret = await client.get(secrets, { namespace, name });
    if (secret === undefined) return unknown(`there is no Secret ${namespace}/${name}`);
    const stored = readOwn(secret.data, key);
    const value = stored === undefined ? '' : Buffer.from(stored, 'base64').toString('utf8').trim();
    if (value === '') return unknown(`Secret ${namespace}/${name} has no key ${key}`);
    if (url !== undefined) return { kind: 'known', url, token: value };
    return /^https?:\/\//.test(value)
      ? { kind: 'known', url: value }
      : unknown(`key ${key} of Secret ${namespace}/${name} holds no URL that begins with http:// or https://`);
  } catch (error) {
    if (isForbiddenAnswer(error)) return unknown(`the controller may not read Secret ${namespace}/${name}`);
    throw error;
  }
}
