import { useData, useRoute } from 'vitepress';
import { defineComponent, h, onMounted, shallowRef } from 'vue';

/** Leads to the same page of another version, or to its first page where it has none such. */
async function openVersion(root, version, page) {
  const there = `${root}${version}/${page}`;
  const { ok } = await fetch(there, { method: 'HEAD' }).catch(() => ({ ok: false }));
  location.assign(ok ? there : `${root}${version}/`);
}

/** The versions beside this one are known only to the server: it has them in `versions.json`, one folder up. */
export const VersionSwitch = defineComponent({
  name: 'VersionSwitch',
  setup() {
    const { site, theme } = useData();
    const route = useRoute();
    const own = theme.value.version;
    const root = site.value.base.replace(/[^/]+\/$/, '');
    const versions = shallowRef([own]);
    onMounted(async () => {
      const answer = await fetch(`${root}versions.json`).catch(() => undefined);
      if (answer?.ok !== true) return;
      const listed = (await answer.json()).versions.map(({ version }) => version);
      versions.value = listed.includes(own) ? listed : [own, ...listed];
    });
    return () =>
      h('label', { class: 'version-switch' }, [
        h('span', { class: 'visually-hidden' }, 'Version'),
        h(
          'select',
          {
            value: own,
            onChange: ({ target }) => openVersion(root, target.value, route.path.slice(site.value.base.length)),
          },
          versions.value.map((version) => h('option', { value: version, selected: version === own }, version)),
        ),
      ]);
  },
});
