import type { Outcome } from '../outcome.ts';
import { parseInt64, parseSwitch } from '../go-values.ts';
import { badRequest } from '../status-error.ts';
import { existing } from '../verbs/get.ts';
import type { Call, World } from '../world.ts';

type Pod = { readonly spec?: { readonly containers?: readonly { readonly name: string }[] } };

/** What a container has written, if somebody keeps it; nothing otherwise. */
export function podLog(world: World, call: Call): Outcome {
  const { query } = call.info;
  const pod = existing(world, call);
  const { containers = [] } = (pod as unknown as Pod).spec ?? {};
  const container = query.get('container') ?? containers[0]?.name;
  if (container !== undefined && !containers.some(({ name }) => name === container)) {
    throw badRequest(`container ${container} is not valid for pod ${pod.metadata.name}`);
  }
  const tailLines = parseInt64(query.get('tailLines'));
  const chunks = world.podLogs?.(
    { namespace: call.path.namespace, name: call.path.name },
    {
      follow: parseSwitch(query.get('follow')),
      ...(container !== undefined && { container }),
      ...(tailLines !== undefined && { tailLines }),
    },
  );
  return { kind: 'stream', contentType: 'text/plain', chunks: chunks ?? nothing() };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
