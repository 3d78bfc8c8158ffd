import type {
  DescribeSpotInstanceRequestsRequest,
  DescribeSpotInstanceRequestsResult,
  SpotInstanceRequest,
  _InstanceType,
} from '@aws-sdk/client-ec2';
import { typeNamed } from '../catalogue/catalogue.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writeEc2Tags } from './tags.ts';
import { volumesOf } from './volumes-of.ts';

/** Lists the requests that spot instances were launched by: each is fulfilled by one instance. */
export function describeSpotInstanceRequests(
  ec2: Ec2,
  request: DescribeSpotInstanceRequestsRequest,
): DescribeSpotInstanceRequestsResult {
  const { SpotInstanceRequestIds: ids = [] } = request;
  const requests = ec2.instances.allDescribed().flatMap((instance) => writeSpotRequest(ec2, instance) ?? []);
  const missing = ids.find((id) => !requests.some(({ SpotInstanceRequestId }) => SpotInstanceRequestId === id));
  if (missing !== undefined) throw noSuchSpotRequest(missing);
  const asked = requests.filter(
    ({ SpotInstanceRequestId = '' }) => ids.length === 0 || ids.includes(SpotInstanceRequestId),
  );
  const found = applyFilters(asked, request.Filters, filterableSpotRequest(ec2));
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { SpotInstanceRequests: [...items], ...(next && { NextToken: next }) };
}

export const noSuchSpotRequest = (id: string): AwsError =>
  new AwsError('InvalidSpotInstanceRequestID.NotFound', `The spot instance request ID '${id}' does not exist`);

export function writeSpotRequest(ec2: Ec2, instance: Ec2Instance): SpotInstanceRequest | undefined {
  const { spotRequestId: id, settings, launchedAt, zone, zoneId } = instance;
  if (id === undefined) return undefined;
  const time = new Date(launchedAt);
  const isWindows = ec2.images.buildOf(settings.imageId, '')?.family.startsWith('Windows') === true;
  const price = (typeNamed(settings.instanceType)?.priceMicroUsdPerHour ?? 0) / 1e6;
  return {
    SpotInstanceRequestId: id,
    InstanceId: instance.id,
    CreateTime: time,
    Type: 'one-time',
    ...stateOfSpotRequest(instance),
    SpotPrice: price.toFixed(6),
    ProductDescription: isWindows ? 'Windows' : 'Linux/UNIX',
    InstanceInterruptionBehavior: 'terminate',
    LaunchedAvailabilityZone: zone,
    LaunchedAvailabilityZoneId: zoneId,
    LaunchSpecification: {
      ImageId: settings.imageId,
      InstanceType: settings.instanceType as _InstanceType,
      SubnetId: settings.subnetId,
      ...(settings.details?.KeyName !== undefined && { KeyName: settings.details.KeyName }),
      Monitoring: { Enabled: settings.monitoring },
      SecurityGroups: settings.securityGroupIds.map((GroupId) => ({
        GroupId,
        GroupName: ec2.network.securityGroups.find((group) => group.id === GroupId)?.name ?? '',
      })),
      BlockDeviceMappings: volumesOf(instance).map((volume) => ({
        DeviceName: volume.device,
        Ebs: {
          DeleteOnTermination: volume.deleteOnTermination,
          VolumeSize: volume.sizeGib,
          VolumeType: volume.type as 'gp3',
          ...(volume.snapshotId !== undefined && { SnapshotId: volume.snapshotId }),
        },
      })),
    },
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
}

const endedByUser = {
  Code: 'instance-terminated-by-user',
  Message: 'Spot Instance terminated due to user-initiated termination.',
};

function stateOfSpotRequest({
  state,
  launchedAt,
  changed,
}: Ec2Instance): Pick<SpotInstanceRequest, 'State' | 'Status'> {
  const cancelledAt = changed?.spotRequestCancelledAt;
  const isOver = state === 'shutting-down' || state === 'terminated';
  if (cancelledAt !== undefined)
    return {
      State: 'cancelled',
      Status: isOver
        ? endedByUser
        : {
            Code: 'request-canceled-and-instance-running',
            Message: 'Your Spot request is canceled, but your instance is still running.',
            UpdateTime: new Date(cancelledAt),
          },
    };
  if (isOver) return { State: 'closed', Status: endedByUser };
  const UpdateTime = new Date(launchedAt);
  return { State: 'active', Status: { Code: 'fulfilled', Message: 'Your Spot request is fulfilled.', UpdateTime } };
}

const spotRequestRecordPaths = parseRecordPaths(`
  availability-zone-group AvailabilityZoneGroup
  create-time CreateTime
  fault-code Fault.Code
  fault-message Fault.Message
  instance-id InstanceId
  launch-group LaunchGroup
  launch.block-device-mapping.delete-on-termination LaunchSpecification.BlockDeviceMappings.Ebs.DeleteOnTermination
  launch.block-device-mapping.device-name LaunchSpecification.BlockDeviceMappings.DeviceName
  launch.block-device-mapping.snapshot-id LaunchSpecification.BlockDeviceMappings.Ebs.SnapshotId
  launch.block-device-mapping.volume-size LaunchSpecification.BlockDeviceMappings.Ebs.VolumeSize
  launch.block-device-mapping.volume-type LaunchSpecification.BlockDeviceMappings.Ebs.VolumeType
  launch.group-id LaunchSpecification.SecurityGroups.GroupId
  launch.group-name LaunchSpecification.SecurityGroups.GroupName
  launch.image-id LaunchSpecification.ImageId
  launch.instance-type LaunchSpecification.InstanceType
  launch.kernel-id LaunchSpecification.KernelId
  launch.key-name LaunchSpecification.KeyName
  launch.monitoring-enabled LaunchSpecification.Monitoring.Enabled
  launch.ramdisk-id LaunchSpecification.RamdiskId
  launched-availability-zone LaunchedAvailabilityZone
  launched-availability-zone-id LaunchedAvailabilityZoneId
  network-interface.addresses.primary LaunchSpecification.NetworkInterfaces.PrivateIpAddresses.Primary
  network-interface.delete-on-termination LaunchSpecification.NetworkInterfaces.DeleteOnTermination
  network-interface.description LaunchSpecification.NetworkInterfaces.Description
  network-interface.device-index LaunchSpecification.NetworkInterfaces.DeviceIndex
  network-interface.group-id LaunchSpecification.NetworkInterfaces.Groups
  network-interface.network-interface-id LaunchSpecification.NetworkInterfaces.NetworkInterfaceId
  network-interface.private-ip-address LaunchSpecification.NetworkInterfaces.PrivateIpAddress
  network-interface.subnet-id LaunchSpecification.NetworkInterfaces.SubnetId
  product-description ProductDescription
  spot-instance-request-id SpotInstanceRequestId
  spot-price SpotPrice
  state State
  status-code Status.Code
  status-message Status.Message
  type Type
  valid-from ValidFrom
  valid-until ValidUntil
`);

const filterableSpotRequest = ({ tags }: Ec2): Filterable<SpotInstanceRequest> => ({
  records: { write: (each) => each, paths: spotRequestRecordPaths },
  attributes: {},
  tags: ({ SpotInstanceRequestId = '' }) => tags.of(SpotInstanceRequestId),
});
