import { choice, flag, integer, list, object, optional, rule, text } from '../../schema/build.ts';
import { fieldPatterns } from './patterns.ts';

const ebsSchema = object(
  {
    deleteOnTermination: optional(flag({ description: 'Whether the volume goes with the instance.' })),
    encrypted: optional(flag({ description: 'Whether the volume is encrypted.' })),
    iops: optional(integer('int64', { description: 'Operations per second.' })),
    kmsKeyID: optional(text({ description: 'Key that encrypts the volume: id, alias or ARN.' })),
    snapshotID: optional(text({ description: 'Snapshot that the volume starts from.' })),
    throughput: optional(integer('int64', { description: 'MiB per second.' })),
    volumeInitializationRate: optional(
      integer('int32', { description: 'MiB per second at which a snapshot is loaded.', minimum: 100, maximum: 300 }),
    ),
    volumeSize: optional(text({ description: 'Size with its unit: 20Gi.', pattern: fieldPatterns.volumeSize })),
    volumeType: optional(
      choice(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'], { description: 'Type of the volume.' }),
    ),
  },
  {
    description: 'The EBS volume behind the device.',
    rules: [
      rule('snapshotID or volumeSize is needed', 'has(self.snapshotID) || has(self.volumeSize)'),
      rule(
        'volumeInitializationRate needs snapshotID',
        "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
      ),
    ],
  },
);

export const blockDeviceMappingsSchema = list(
  object({
    deviceName: optional(text({ description: 'Name of the device: /dev/xvda.' })),
    ebs: optional(ebsSchema),
    rootVolume: optional(flag({ description: 'Marks the volume that the kubelet uses.' })),
  }),
  {
    description: 'Volumes of the instances.',
    maxItems: 50,
    rules: [
      rule('at most one volume is the root volume', 'self.filter(m, has(m.rootVolume) && m.rootVolume).size() <= 1'),
    ],
  },
);

export const networkInterfacesSchema = list(
  object({
    deviceIndex: integer('int32', { description: 'Place on the card.', minimum: 0 }),
    interfaceType: choice(['interface', 'efa-only'], { description: 'ENA or EFA.' }),
    networkCardIndex: integer('int32', { description: 'Card of the interface.', minimum: 0 }),
  }),
  {
    description: 'Network interfaces of the instances.',
    maxItems: 150,
    rules: [
      rule(
        'one interface of type interface is at card 0, device 0',
        "self.size() == 0 || self.exists(n, n.networkCardIndex == 0 && n.deviceIndex == 0 && n.interfaceType == 'interface')",
      ),
      rule(
        'card and device name an interface only once, and a card has at most one efa-only interface',
        "self.all(a, self.filter(b, a.networkCardIndex == b.networkCardIndex && (a.deviceIndex == b.deviceIndex || (a.interfaceType == 'efa-only' && b.interfaceType == 'efa-only'))).size() == 1)",
      ),
    ],
  },
);

export const metadataOptionsV1Schema = object(
  {
    httpEndpoint: optional(
      choice(['enabled', 'disabled'], { description: 'Whether there is one.', default: 'enabled' }),
    ),
    httpProtocolIPv6: optional(choice(['enabled', 'disabled'], { description: 'IPv6 as well.', default: 'disabled' })),
    httpPutResponseHopLimit: optional(
      integer('int64', { description: 'How far answers travel, in hops.', default: 1, minimum: 1, maximum: 64 }),
    ),
    httpTokens: optional(choice(['required', 'optional'], { description: 'IMDSv2 tokens.', default: 'required' })),
  },
  {
    description: 'The metadata service of the instances.',
    default: {
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 1,
      httpTokens: 'required',
    },
  },
);

export const connectionTrackingSchema = object(
  {
    tcpEstablishedTimeout: optional(integer('int32', { description: 'Seconds.', minimum: 60, maximum: 432_000 })),
    udpStreamTimeout: optional(integer('int32', { description: 'Seconds.', minimum: 60, maximum: 180 })),
    udpTimeout: optional(integer('int32', { description: 'Seconds.', minimum: 30, maximum: 60 })),
  },
  {
    description: 'How long security groups remember idle connections.',
    rules: [
      rule(
        'at least one timeout is needed',
        'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)',
      ),
    ],
  },
);

export const placementGroupSchema = object(
  {
    id: optional(text({ description: 'Id of the group.', pattern: fieldPatterns.placementGroupId })),
    name: optional(text({ description: 'Name of the group.', minLength: 1 })),
  },
  {
    description: 'The placement group that instances are launched in.',
    rules: [
      rule('id or name is needed', 'has(self.id) || has(self.name)'),
      rule('id goes without name', '!(has(self.id) && has(self.name))'),
    ],
  },
);
