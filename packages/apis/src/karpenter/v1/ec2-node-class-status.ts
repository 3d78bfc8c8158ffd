import { choice, flag, type Infer, list, object, optional, text, timestamp } from '../../schema/build.ts';
import { fieldPatterns } from './patterns.ts';
import { strictConditions } from './shared-schemas.ts';

export const ec2NodeClassStatusSchema = object({
  amis: optional(
    list(
      object({
        deprecated: optional(flag({ description: 'Whether the image is deprecated.' })),
        id: text({ description: 'Id of the image.' }),
        name: optional(text({ description: 'Name of the image.' })),
        requirements: list(
          object({
            key: text(),
            operator: choice(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte']),
            values: optional(list(text(), { listType: 'atomic' })),
          }),
          { description: 'Which instance types the image is for.' },
        ),
      }),
      { description: 'The images that may be launched.' },
    ),
  ),
  capacityReservations: optional(
    list(
      object({
        availabilityZone: text(),
        endTime: optional(timestamp()),
        id: text({ pattern: fieldPatterns.capacityReservationId }),
        instanceMatchCriteria: choice(['open', 'targeted']),
        instanceType: text(),
        interruptible: optional(flag()),
        ownerID: text({ pattern: fieldPatterns.accountId }),
        reservationType: optional(choice(['default', 'capacity-block'], { default: 'default' })),
        state: optional(choice(['active', 'expiring'], { default: 'active' })),
      }),
      { description: 'The capacity reservations found.' },
    ),
  ),
  conditions: optional(strictConditions({})),
  instanceProfile: optional(text({ description: 'The instance profile in use.' })),
  securityGroups: optional(
    list(object({ id: text(), name: optional(text()) }), { description: 'The security groups found.' }),
  ),
  subnets: optional(
    list(object({ id: text(), zone: text(), zoneID: optional(text()) }), { description: 'The subnets found.' }),
  ),
});

export type EC2NodeClassStatus = Infer<typeof ec2NodeClassStatusSchema>;
