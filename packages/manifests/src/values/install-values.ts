import { type ValuesOf, readFields } from './read-fields.ts';
import { valueForms } from './value-forms.ts';
import { type SettingCatalogue, settingTexts } from './setting-values.ts';
import { amountLike, listWith, requiredText, textLike, textMap, wholeNumber, yesOrNo } from './value-readers.ts';

const {
  objectName,
  installName,
  imageName,
  roleArn,
  region,
  proxyAddress,
  hostList,
  authorityKey,
  interval,
  labelKeyForm,
  variableName,
  anyWord,
  optionalObjectName,
  tolerationOperator,
  tolerationEffect,
} = valueForms;

const readToleration = readFields({
  key: textLike(anyWord, ''),
  operator: textLike(tolerationOperator, 'Equal'),
  value: textLike(anyWord, ''),
  effect: textLike(tolerationEffect, ''),
});

const readMonitor = readFields({
  create: yesOrNo(false),
  interval: textLike(interval, '30s'),
  labels: textMap(labelKeyForm),
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
    serviceMonitor: readMonitor,
    podMonitor: readMonitor,
  }) as const;

/** What an installation is made from. */
export type InstallValues = ValuesOf<ReturnType<typeof valueFields>>;
