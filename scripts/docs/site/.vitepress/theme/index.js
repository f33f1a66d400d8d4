// The default theme without its fonts, in the colors of the explorer.
import Theme from 'vitepress/theme-without-fonts';
import './site.css';

export default Theme;
