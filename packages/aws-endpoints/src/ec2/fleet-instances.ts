import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';

/** EC2 tags the instances of a fleet with its id. */
export const fleetTag = 'aws:ec2:fleet-id';

/** Lists the instances of a fleet, also those that have ended a short while ago. */
export const listFleetInstances = ({ instances, tags }: Ec2, fleetId: string): readonly Ec2Instance[] =>
  instances.all().filter(({ id }) => tags.of(id)[fleetTag] === fleetId);
