import type { AvailabilityZone } from '@aws-sdk/client-ec2';

/** A zone of a region, `us-east-1a`, or a local zone near a city, `us-east-1-bos-1a`. */
export type NamedZone = { readonly name: string; readonly id: string };

/** The region, the group and the letter of a local zone. */
const localZone = /^([a-z]{2}(?:-gov)?-[a-z]+-\d)-(([a-z]{3})-(\d))([a-z])$/;

export const isLocalZone = (name: string): boolean => localZone.test(name);

/** Gives zones their ids: `use1-az1` by their order, and `use1-bos1-az1` for a local zone. */
export function nameZones(region: string, names: readonly string[]): readonly NamedZone[] {
  const own = names.filter((name) => !isLocalZone(name));
  return names.map((name) => {
    const [, , , city = '', number = '', letter = ''] = localZone.exec(name) ?? [];
    const within = city === '' ? `az${own.indexOf(name) + 1}` : `${city}${number}-az${letter.charCodeAt(0) - 96}`;
    return { name, id: `${shortRegion(region)}-${within}` };
  });
}

/** `use1` for `us-east-1`, as zone ids begin. */
function shortRegion(region: string): string {
  const [area = '', direction = '', number = ''] = region.replace('us-gov', 'usg').split('-');
  return `${area}${direction.replaceAll(/(north|south|east|west|central)/g, (word) => word.charAt(0))}${number}`;
}

/** A zone as EC2 tells it. A local zone belongs to the first zone of its region, and the account has opted in. */
export function writeZone({ name, id }: NamedZone, region: string, all: readonly NamedZone[]): AvailabilityZone {
  const common = { ZoneName: name, ZoneId: id, RegionName: region, State: 'available' as const, Messages: [] };
  const [, , group] = localZone.exec(name) ?? [];
  if (group === undefined) {
    const GroupName = `${region}-zg-1`;
    const ZoneType = 'availability-zone';
    return { ...common, ZoneType, OptInStatus: 'opt-in-not-required', GroupName, NetworkBorderGroup: region };
  }
  const place = `${region}-${group}`;
  const parent = all.find((zone) => !isLocalZone(zone.name));
  return {
    ...common,
    ZoneType: 'local-zone',
    OptInStatus: 'opted-in',
    GroupName: place,
    NetworkBorderGroup: place,
    ...(parent && { ParentZoneName: parent.name, ParentZoneId: parent.id }),
  };
}
