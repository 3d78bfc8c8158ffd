import { type ConfigMap, configMaps, readOwn, seconds } from '@nodewright/apis';
import { CloudError, type ParameterPort } from '@nodewright/ports';
import { ApiError, type KubernetesClient, type WebClient } from '@nodewright/runtime';
import type { PlacedText, RecordPlace } from './record-place.ts';

export type PlaceDeps = {
  readonly client: KubernetesClient;
  readonly parameters: ParameterPort;
  readonly web: WebClient;
};

export type WriteOutcome = { readonly kind: 'written' } | { readonly kind: 'failed'; readonly message: string };

const recordKey = 'record';
const readTimeoutMs = seconds(10);

export async function readRecordPlace(deps: PlaceDeps, place: RecordPlace, signal: AbortSignal): Promise<PlacedText> {
  const { ssmParameter, configMap, url = '' } = place;
  try {
    if (ssmParameter !== undefined) {
      const found = await deps.parameters.read(ssmParameter, signal);
      return found === undefined ? { kind: 'absent' } : { ...found, kind: 'found', version: String(found.version) };
    }
    if (configMap !== undefined) return textOfConfigMap(await deps.client.get(configMaps, configMap));
    const answer = await deps.web.send({ method: 'GET', url, timeoutMs: readTimeoutMs }, signal);
    if (answer.kind === 'unreachable') return { kind: 'failed', message: answer.because };
    if (answer.status === 200) return { kind: 'found', text: answer.text, version: '' };
    return answer.status === 404 ? { kind: 'absent' } : { kind: 'failed', message: `it answers ${answer.status}` };
  } catch (error) {
    return { kind: 'failed', message: messageOfRefusal(error) };
  }
}

function textOfConfigMap(found: ConfigMap | undefined): PlacedText {
  const text = readOwn(found?.data, recordKey);
  if (found === undefined || text === undefined) return { kind: 'absent' };
  return { kind: 'found', text, version: found.metadata.resourceVersion ?? '' };
}

/**
 * Stores a text, unless another client has written since `before` was read. SSM knows no such condition: there the
 * version shows afterwards that something was overwritten.
 */
export async function writeRecordPlace(
  deps: PlaceDeps,
  place: RecordPlace,
  { text, before, signal }: { readonly text: string; readonly before: PlacedText; readonly signal: AbortSignal },
): Promise<WriteOutcome> {
  const { ssmParameter, configMap } = place;
  try {
    if (ssmParameter !== undefined) {
      const expected = (before.kind === 'found' ? Number(before.version) : 0) + 1;
      const version = await deps.parameters.write(ssmParameter, text, signal);
      if (version <= expected) return { kind: 'written' };
      return { kind: 'failed', message: 'another client writes it too: two policies must not publish to one place' };
    }
    if (configMap === undefined)
      return { kind: 'failed', message: 'records are read from a URL, and not written: publish to SSM or a ConfigMap' };
    await saveConfigMap(deps.client, configMap, text);
    return { kind: 'written' };
  } catch (error) {
    return { kind: 'failed', message: messageOfRefusal(error) };
  }
}

async function saveConfigMap(
  client: KubernetesClient,
  key: NonNullable<RecordPlace['configMap']>,
  text: string,
): Promise<void> {
  const found = await client.get(configMaps, key);
  const data = { ...found?.data, [recordKey]: text };
  if (found === undefined) await client.create(configMaps, { metadata: key, data });
  else await client.update(configMaps, { ...found, data });
}

/** A refusal is a result; any other error is a defect, and fails the turn. */
function messageOfRefusal(error: unknown): string {
  if (error instanceof CloudError || error instanceof ApiError) return error.message;
  throw error;
}
