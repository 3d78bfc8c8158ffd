import { type ValuesOf, readFields } from './read-fields.ts';
import { type SettingCatalogue, settingTexts } from './setting-values.ts';
import { amountLike, listWith, requiredText, textLike, textMap, wholeNumber, yesOrNo } from './value-readers.ts';

const objectName = {
  form: /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
  right: 'the name of an object: up to 63 small letters, digits and "-"',
};
/** Several objects are called after it, with a suffix. */
const installName = {
  form: /^[a-z](?:[-a-z0-9]{0,50}[a-z0-9])?$/,
  right: 'a name of up to 52 small letters, digits and "-", a letter first',
};
const imageName = {
  form: /^[^\s@]+(?::[\w][\w.-]{0,127}|@sha256:[0-9a-f]{64})$/,
  right: 'an image with a tag or a digest, such as registry.example.com/nodewright:0.1.0',
};
const roleArn = {
  form: /^(?:arn:aws[-a-z]*:iam::\d{12}:role\/[\w+=,.@/-]+)?$/,
  right: 'the ARN of an IAM role, arn:PARTITION:iam::ACCOUNT_ID:role/NAME',
};
const region = { form: /^(?:[a-z]+(?:-[a-z]+)+-\d+)?$/, right: 'a region such as us-east-1' };
const proxyAddress = {
  form: /^(?:(?:https?:\/\/)?[^\s/]+\/?)?$/,
  right: 'an http or https URL such as http://proxy.example.com:3128',
};
const hostList = { form: /^\S*$/, right: 'hosts, suffixes and CIDRs separated by commas' };
const authorityKey = { form: /^[-._a-zA-Z0-9]+$/, right: 'a key of the ConfigMap, such as ca.crt' };
const interval = { form: /^\d+(?:ms|s|m|h)$/, right: 'a duration such as 30s' };
const labelKeyForm = {
  form: /^(?:[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/,
  right: 'the name of a label, such as team or example.com/team',
};
const variableName = { form: /^[A-Za-z_]\w*$/, right: 'the name of a variable, such as AWS_ENDPOINT_URL' };
const anyWord = { form: /^\S*$/, right: 'a text without spaces' };
const optionalObjectName = { ...objectName, form: /^(?:[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)?$/ };

const readToleration = readFields({
  key: textLike(anyWord, ''),
  operator: textLike({ form: /^(?:Exists|Equal)$/, right: 'Exists or Equal' }, 'Equal'),
  value: textLike(anyWord, ''),
  effect: textLike(
    { form: /^(?:NoSchedule|PreferNoSchedule|NoExecute)?$/, right: 'NoSchedule, PreferNoSchedule or NoExecute' },
    '',
  ),
});

/** Every value of an installation, with its default. docs/real-clusters.md has them as a table. */
export const valueFields = (catalogue: SettingCatalogue) =>
  ({
    name: textLike(installName, 'karpenter'),
    namespace: textLike(objectName, 'karpenter'),
    createNamespace: yesOrNo(true),
    createServiceAccount: yesOrNo(true),
    definitions: yesOrNo(true),
    image: requiredText(imageName),
    imagePullSecrets: listWith(requiredText(objectName), 'a list of names of Secrets'),
    replicas: wholeNumber(1, 2),
    region: textLike(region, ''),
    roleArn: textLike(roleArn, ''),
    settings: settingTexts(catalogue),
    environment: textMap(variableName),
    proxy: readFields({
      https: textLike(proxyAddress, ''),
      http: textLike(proxyAddress, ''),
      except: textLike(hostList, ''),
    }),
    certificateAuthorities: readFields({
      configMap: textLike(optionalObjectName, ''),
      key: textLike(authorityKey, 'ca.crt'),
    }),
    resources: readFields({
      cpu: amountLike('an amount of processors, such as 500m or 2', '1'),
      memory: amountLike('an amount of memory, such as 1Gi', '1Gi'),
    }),
    priorityClass: textLike(optionalObjectName, 'system-cluster-critical'),
    nodeSelector: textMap(labelKeyForm),
    tolerations: listWith(readToleration, 'a list of tolerations'),
    serviceMonitor: readFields({
      create: yesOrNo(false),
      interval: textLike(interval, '30s'),
      labels: textMap(labelKeyForm),
    }),
  }) as const;

/** What an installation is made from. */
export type InstallValues = ValuesOf<ReturnType<typeof valueFields>>;
