import { expect, test } from 'vitest';
import { typeNamed } from '../catalogue/catalogue.ts';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import { listLaunchedInterfaces } from './launched-interfaces.ts';

const typeOf = (name: string): CatalogueType => {
  const type = typeNamed(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
};
const efa = (card: number, device: number) =>
  ({ NetworkCardIndex: card, DeviceIndex: device, InterfaceType: 'efa' }) as const;

test.each([
  ['EFA on a type without it', 'm5.large', [efa(0, 0)], /not supported by instance type m5.large/],
  [
    'more adapters than the type has',
    'p4d.24xlarge',
    [0, 1, 2, 3, 4].map((at) => efa(0, at)),
    /exceeds the limit of 4/,
  ],
  [
    'a card that is not there',
    'm5.large',
    [{ DeviceIndex: 0 }, { NetworkCardIndex: 1, DeviceIndex: 0 }],
    /exceeds the 1/,
  ],
  ['a place used twice', 'p4d.24xlarge', [efa(0, 0), efa(0, 0)], /unique device index/],
  ['no primary interface', 'p4d.24xlarge', [efa(1, 1)], /device index 0 on network card 0/],
  [
    'more interfaces than a card has',
    'm5.large',
    [0, 1, 2, 3].map((at) => ({ DeviceIndex: at })),
    /exceeds the limit of 3/,
  ],
  ['an unknown kind', 'm5.large', [{ DeviceIndex: 0, InterfaceType: 'fast' }], /Invalid value 'fast'/],
  [
    'a public address on one of several',
    'p4d.24xlarge',
    [{ ...efa(0, 0), AssociatePublicIpAddress: true }, efa(1, 1)],
    /associatePublicIPAddress/,
  ],
  [
    'a time of connection tracking outside its limits',
    'm5.large',
    [{ DeviceIndex: 0, ConnectionTrackingSpecification: { UdpTimeout: 61 } }],
    /'61' for UdpTimeout/,
  ],
])('EC2 refuses %s', (_fact, type, wanted, message) => {
  expect(() => listLaunchedInterfaces(wanted, typeOf(type))).toThrow(message);
});

test('a launch that says nothing has one interface', () => {
  expect(listLaunchedInterfaces(undefined, typeOf('m5.large'))).toEqual([
    { card: 0, device: 0, type: 'interface', ipv6Addresses: 0 },
  ]);
});

test.each([
  ['all times', { TcpEstablishedTimeout: 300, UdpStreamTimeout: 120, UdpTimeout: 45 }],
  ['one time', { TcpEstablishedTimeout: 86_400 }],
])('an interface keeps %s of connection tracking that its launch gives', (_fact, given) => {
  const wanted = [{ DeviceIndex: 0, ConnectionTrackingSpecification: given }];
  expect(listLaunchedInterfaces(wanted, typeOf('m5.large'))).toMatchObject([{ tracking: given }]);
});

test('an interface has no connection tracking of its own where the launch says nothing of it', () => {
  const [launched] = listLaunchedInterfaces(
    [{ DeviceIndex: 0, ConnectionTrackingSpecification: {} }],
    typeOf('m5.large'),
  );
  expect(launched).not.toHaveProperty('tracking');
});
