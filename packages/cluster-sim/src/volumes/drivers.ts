import type { PersistentVolume, StorageClass } from '@nodewright/apis';

/** The driver of EBS volumes, which takes the place of the plugin that was once part of Kubernetes. */
export const ebsDriver = 'ebs.csi.aws.com';

/** What the driver labels nodes with, through their kubelets, beside the label that Kubernetes has for zones. */
export const ebsZoneLabel = 'topology.ebs.csi.aws.com/zone';

/** The container of the driver in its workloads. Its arguments on nodes may limit their volumes. */
export const ebsContainer = 'ebs-plugin';

const ebsPlugin = 'kubernetes.io/aws-ebs';

/** The drivers for which the sandbox makes volumes. */
const provisioners: ReadonlySet<string> = new Set([ebsDriver, 'efs.csi.aws.com']);

export const driverOfClass = ({ provisioner }: StorageClass): string =>
  provisioner === ebsPlugin ? ebsDriver : provisioner;

/** The driver that attaches a volume to nodes; none for what is on a node already. */
export const driverOfVolume = ({ spec }: PersistentVolume): string | undefined =>
  spec?.csi?.driver ?? (spec?.awsElasticBlockStore === undefined ? undefined : ebsDriver);

export const isServed = (storageClass: StorageClass): boolean => provisioners.has(driverOfClass(storageClass));

/** Whether volumes of the class are written in the form of the old plugin. */
export const isOldForm = ({ provisioner }: StorageClass): boolean => provisioner === ebsPlugin;
