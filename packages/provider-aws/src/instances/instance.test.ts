import { describe, expect, test } from 'vitest';
import { instanceFrom } from './instance.ts';

const [own, primary, second] = ['sg-own', 'sg-primary', 'sg-second'].map((GroupId) => ({ GroupId })) as [
  { GroupId: string },
  { GroupId: string },
  { GroupId: string },
];
const interfaces = [
  { Attachment: { DeviceIndex: 1 }, Groups: [second] },
  { Attachment: { DeviceIndex: 0 }, Groups: [primary] },
];

describe('the security groups of an instance', () => {
  test.each([
    ['are its own', { SecurityGroups: [own], NetworkInterfaces: interfaces }, ['sg-own']],
    ['are those of its primary interface where none are told', { NetworkInterfaces: interfaces }, ['sg-primary']],
    ['are none when nothing tells of any', {}, []],
  ])('%s', (_, described, groups) => {
    expect(instanceFrom(described).securityGroupIds).toEqual(groups);
  });
});
