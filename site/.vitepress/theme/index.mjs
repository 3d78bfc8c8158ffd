import { h } from 'vue';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { VersionSwitch } from './version-switch.mjs';
import './site.css';

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-before': () => h(VersionSwitch, { class: 'in-bar' }),
      'nav-screen-content-before': () => h(VersionSwitch, { class: 'in-screen' }),
    }),
};
