import "./portal/theme.ts";
