// The look of the HTML report: dark and light, narrow and wide, on paper.

export const style = `
:root{color-scheme:light dark;--page:#f6f5f2;--card:#fff;--ink:#1d1f23;--soft:#5d636d;--line:#e2dfd8;--code:#f1efea;
--pass:#17693a;--pass-soft:#e2f2e7;--fail:#ab1f1f;--fail-soft:#fbe6e3;--doubt:#7d5200;--doubt-soft:#fbf0d3;--none:#b9b5ab;
--mono:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{--page:#15171a;--card:#1d2024;--ink:#e9e8e4;--soft:#a0a5ad;--line:#33373d;--code:#25292e;
--pass:#77d39a;--pass-soft:#173525;--fail:#ff9d92;--fail-soft:#43201d;--doubt:#f0c667;--doubt-soft:#3a2e12;--none:#565b63}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:76rem;margin:0 auto;padding:2.5rem 1.5rem 4rem}
h1{font-size:1.9rem;line-height:1.2;font-weight:650;letter-spacing:-.015em;margin:.2rem 0 .5rem;text-wrap:balance}
h2{font-size:1.15rem;font-weight:650;margin:2.6rem 0 .8rem}
h3{font-size:.8rem;font-weight:600;color:var(--soft);margin:1.2rem 0 .35rem}
p{margin:.4rem 0;max-width:46rem;overflow-wrap:anywhere}
code,pre{font-family:var(--mono);font-size:.86em}
.brand{font-size:.85rem;color:var(--soft);margin:0}
.lead{color:var(--soft)}
.about{display:grid;grid-template-columns:repeat(3,1fr);gap:.9rem 1.5rem;margin:1.4rem 0 0;padding:1.1rem 0 0;border-top:1px solid var(--line)}
.about dt{font-size:.78rem;color:var(--soft)}
.about dd{margin:0;overflow-wrap:anywhere;font-size:.92rem}
.tiles{display:grid;grid-template-columns:repeat(5,1fr);gap:.75rem;margin:1.8rem 0 0;padding:0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem}
.tiles b{display:block;font-size:1.9rem;line-height:1.15;font-weight:600;font-variant-numeric:tabular-nums}
.tiles span{font-size:.82rem;color:var(--soft)}
.tiles .pass b{color:var(--pass)}.tiles .fail b{color:var(--fail)}.tiles .doubt b{color:var(--doubt)}
.tiles .zero b{color:var(--soft)}
.share{display:block;width:100%;height:.5rem;border-radius:.25rem;margin:.9rem 0 0;background:var(--line);overflow:hidden}
.share .pass{fill:var(--pass)}.share .fail{fill:var(--fail)}.share .doubt{fill:var(--doubt)}.share .none{fill:var(--none)}
.note{background:var(--doubt-soft);border-radius:.5rem;padding:.7rem 1rem;margin:1.2rem 0 0;max-width:none}
table{border-collapse:collapse;width:100%;font-size:.92rem}
.cases{background:var(--card);border:1px solid var(--line);border-radius:.6rem;border-collapse:separate;border-spacing:0}
th{text-align:left;font-size:.78rem;font-weight:600;color:var(--soft);padding:.7rem .75rem;vertical-align:bottom}
td{padding:.65rem .75rem;vertical-align:top;overflow-wrap:anywhere}
.cases>tbody>tr>td,.cases .name{border-top:1px solid var(--line)}
.cases .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.cases>tbody .number{color:var(--soft)}
.cases .name{font-weight:500;font-size:.92rem;color:var(--ink);vertical-align:top;padding:.65rem .75rem;overflow-wrap:anywhere;min-width:9rem}
.cases>tbody>.more>td{border-top:0;padding-top:0}
.badge{display:inline-block;font-size:.76rem;font-weight:650;letter-spacing:.02em;padding:.1rem .5rem;border-radius:.3rem;white-space:nowrap}
.badge.pass{color:var(--pass);background:var(--pass-soft)}.badge.fail{color:var(--fail);background:var(--fail-soft)}
.badge.doubt{color:var(--doubt);background:var(--doubt-soft)}
.soft{color:var(--soft)}
.nowrap{white-space:nowrap}
summary{cursor:pointer;color:var(--soft);font-size:.88rem;padding:.15rem 0}
summary:hover{color:var(--ink)}
summary:focus-visible,pre:focus-visible{outline:2px solid currentColor;outline-offset:2px;border-radius:.2rem}
.body{padding:.1rem 0 .5rem 1.05rem}
pre{margin:0;background:var(--code);border-radius:.4rem;padding:.75rem .9rem;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.45;max-height:32rem;overflow-y:auto}
.fields{margin:.2rem 0 .4rem}
.fields th,.fields td{padding:.35rem 1.2rem .35rem 0;border-top:1px solid var(--line)}
.fields thead th{border-top:0}
.fields th{vertical-align:top}
ol,ul{margin:.2rem 0 .4rem;padding-left:1.3rem}
li{overflow-wrap:anywhere}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.82rem;color:var(--soft)}
@media screen and (max-width:52rem){
main{padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem}
.tiles{grid-template-columns:repeat(6,1fr);gap:.5rem}
.tiles li{grid-column:span 2;padding:.6rem .75rem}
.tiles li:nth-child(n+4){grid-column:span 3}
.tiles b{font-size:1.5rem}
.about{grid-template-columns:1fr 1fr;gap:.8rem 1rem}
.cases,.cases>tbody,.cases>tbody>tr,.cases>tbody>tr>td,.cases .name{display:block}
.cases{background:none;border:0}
.cases>thead{display:none}
.cases>tbody{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.7rem .9rem;margin:0 0 .6rem}
.cases>tbody>tr>td,.cases .name{border:0;padding:.1rem 0;text-align:left}
.cases .number{text-align:left}
.cases td[data-label]{display:grid;grid-template-columns:6.2rem 1fr;gap:.6rem}
.cases td[data-label]::before{content:attr(data-label);color:var(--soft);font-size:.82rem}
.cases>tbody>tr>td.empty,.cases>tbody>tr>.index{display:none}
.cases .name{font-size:1rem;font-weight:600;padding-bottom:.3rem}
.cases>tbody>.more>td{padding-top:.4rem}
.body{padding-left:0}
}
@media print{
:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--code:#f4f4f4;--pass:#17693a;--pass-soft:#e2f2e7;--fail:#ab1f1f;--fail-soft:#fbe6e3;--doubt:#7d5200;--doubt-soft:#fbf0d3;--none:#999}
@page{margin:14mm}
body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main{max-width:none;padding:0}
h2,h3{break-after:avoid}
.tiles li{padding:.5rem .7rem}
.tiles b{font-size:1.5rem}
.cases{font-size:9pt}
.cases>thead{display:table-header-group}
.cases>tbody>tr:not(.more){break-inside:avoid;break-after:avoid}
.cases>tbody:not(:has(.more))>tr{break-after:auto}
.cases>thead th,.cases>tbody>tr>td,.cases .name{padding:.35rem .45rem}
.cases .name{font-size:9pt;min-width:22mm}
.cases>tbody>tr>td>code{font-size:7.3pt}
.cases td[data-label=Tool]{min-width:25mm}.cases td[data-label=Reason]{min-width:40mm}
footer{margin-top:1.5rem}
pre{max-height:none;overflow:visible;font-size:8pt;line-height:1.35}
.cases details::details-content{content-visibility:visible;display:block;height:auto}
.cases summary{display:none}
.whole{display:none}
}
`;
