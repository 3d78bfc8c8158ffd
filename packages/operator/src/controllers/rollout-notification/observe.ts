import { type NodeRollout, readOwn, type RolloutReceiver, secrets } from '@nodewright/apis';
import { resolveRolloutSettings } from '@nodewright/engine';
import type { KubernetesClient } from '@nodewright/runtime';
import { isForbiddenAnswer } from '../../objects/collection.ts';
import type { Objects } from '../../state/objects.ts';

/** A rollout and whoever its policy tells. */
export type ObservedRollout = { readonly rollout: NodeRollout; readonly receivers: readonly RolloutReceiver[] };

/** Absent for a rollout that is gone, or has nothing to tell. */
export function observeMessages(objects: Objects, name: string): ObservedRollout | undefined {
  const rollout = objects.rollouts.get(name);
  if (rollout?.status?.messages === undefined) return undefined;
  const policy = objects.rolloutPolicies.get(rollout.spec.policy);
  return policy && { rollout, receivers: resolveRolloutSettings(policy.spec).receivers };
}

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
