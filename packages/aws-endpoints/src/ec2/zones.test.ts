import { expect, test } from 'vitest';
import { isLocalZone, nameZones, writeZone } from './zones.ts';

const names = ['us-east-1a', 'us-east-1-bos-1a', 'us-east-1b', 'us-east-1-mia-2b'];

test('zones have ids by their order, local zones by their names', () => {
  expect(nameZones('us-east-1', names).map(({ id }) => id)).toEqual([
    'use1-az1',
    'use1-bos1-az1',
    'use1-az2',
    'use1-mia2-az2',
  ]);
});

test.each([
  ['eu-west-1a', false],
  ['us-gov-west-1a', false],
  ['ap-southeast-2-per-1a', true],
  ['us-gov-west-1-bos-1a', true],
])('whether %s is a local zone: %s', (name, is) => {
  expect(isLocalZone(name)).toBe(is);
});

test('a local zone says which zone it belongs to', () => {
  const zones = nameZones('us-east-1', names);
  const [own, local] = zones.map((zone) => writeZone(zone, 'us-east-1', zones));
  expect(own).toMatchObject({ ZoneType: 'availability-zone', NetworkBorderGroup: 'us-east-1' });
  expect(own).not.toHaveProperty('ParentZoneName');
  expect(local).toMatchObject({
    ZoneType: 'local-zone',
    OptInStatus: 'opted-in',
    GroupName: 'us-east-1-bos-1',
    NetworkBorderGroup: 'us-east-1-bos-1',
    ParentZoneName: 'us-east-1a',
    ParentZoneId: 'use1-az1',
  });
});
