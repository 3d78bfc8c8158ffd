import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '@nodewright/apis';
import type { Shortage } from '@nodewright/engine';

type ConfiguredInterfaces = NonNullable<EC2NodeClass['spec']['networkInterfaces']>;

/** Why instances of a type cannot have the interfaces that `spec.networkInterfaces` names; `undefined` when they can. */
export function findMissingInterface(
  { NetworkInfo: network }: InstanceTypeInfo,
  wanted: ConfiguredInterfaces,
): Shortage | undefined {
  if (wanted.length === 0) return undefined;
  const cards = network?.NetworkCards ?? [];
  if (cards.length === 0 || network?.EnaSupport === 'unsupported')
    return { cause: 'networkInterfaces needs types with network cards for ENA' };
  for (const { networkCardIndex: card, deviceIndex: device } of wanted) {
    if (card >= cards.length) return { cause: `the type has no network card ${card}` };
    const devices = cards.find(({ NetworkCardIndex }) => NetworkCardIndex === card)?.MaximumNetworkInterfaces ?? 0;
    if (device >= devices) return { cause: `network card ${card} of the type has no device ${device}` };
  }
  const adapters = wanted.filter(({ interfaceType }) => interfaceType === 'efa-only').length;
  const most = network?.EfaInfo?.MaximumEfaInterfaces ?? 0;
  return adapters > most
    ? { cause: `the type has ${most} EFA interfaces, and networkInterfaces names ${adapters}` }
    : undefined;
}
